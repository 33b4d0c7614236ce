"use strict";
// A game, told by agents/page.py: every position is a list of numbers of fragments, every fragment one of elements.
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const find = (id) => document.getElementById(id);
  const { moments, lost } = game;
  const last = moments.length - 1;
  const SVG = "http://www.w3.org/2000/svg";
  const DWELL = 900; // milliseconds for a decision at normal speed
  const FORCED = 0.25; // of that for a decision that was none
  const SPEEDS = [0.5, 1, 2, 4, 8];

  let frame = -1;
  let timer = null;

  // -- small tools -------------------------------------------------------------------------------
  const percent = (chance) => `${Math.round(100 * chance)} %`;
  const element = (name, attributes = {}, ...inside) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };
  const drawn = (name, attributes = {}, text = "") => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  };
  const fell = (drop) => `−${percent(drop.size)} by ${drop.cause === "choice" ? "this choice" : "luck after it"}`;

  // -- the board: only the parts that have changed are drawn anew --------------------------------
  const board = drawn("svg", { viewBox: `0 0 ${game.width} ${game.height}`, class: game.class, role: "img" });
  board.append(drawn("style", {}, game.style));
  const parts = game.parts.map((name) => board.appendChild(drawn("g", { "data-part": name })));
  const shown = parts.map(() => -1);
  find("board").append(board);

  function drawBoard() {
    game.frames[frame].forEach((fragment, i) => {
      if (shown[i] === fragment) return;
      parts[i].innerHTML = game.fragments[fragment].map((number) => game.elements[number]).join("");
      shown[i] = fragment;
    });
  }

  // -- what was done, and what could be done -----------------------------------------------------
  function tellStatus() {
    const now = moments[frame];
    const before = moments[frame - 1];
    const status = find("status");
    status.replaceChildren(element("b", {}, `Turn ${now.turn}. `));
    if (before) status.append(`${before.agent}: ${before.words}`);
    else status.append("The game begins.");
    for (const drop of lost.filter((each) => each.moment === frame - 1)) {
      status.append("  ", element("span", { class: "fell" }, fell(drop)));
    }
    if (frame === last) status.append(element("b", {}, ` ${game.ending}`));
    find("win").textContent = percent(now.win);
  }

  function tellOptions() {
    const now = moments[frame];
    const box = find("options");
    box.replaceChildren();
    if (!now.options.length) {
      find("decider").textContent = "Nothing left to decide";
      box.append(element("p", { class: "quiet" }, game.ending));
      return;
    }
    find("decider").textContent = `${now.agent} decides`;
    if (now.possible === 1) {
      box.append(element("p", { class: "quiet" }, `Only one thing is possible: ${now.words}`));
      return;
    }
    const chances = now.options[0].chance !== undefined;
    box.className = chances ? "" : "plain";
    const some = now.options.length < now.possible ? `, ${now.options.length} of ${now.possible} actions` : "";
    const heading = element("div", { class: "option heading" }, element("span", {}, `${game.adviser}'s view${some}`));
    heading.append(element("span", { class: "wide" }, chances ? "how likely" : "win after it"));
    if (chances) heading.append(element("span", { class: "number" }, "win"));
    box.append(heading);
    now.options.forEach((option, i) => {
      const value = chances ? option.chance : option.win;
      const bar = element("i", { style: `width:${(100 * value).toFixed(1)}%` });
      const row = element("div", { class: i === now.did ? "option did" : "option", title: option.name });
      row.append(element("span", {}, `${i === now.did ? "▸ " : ""}${option.name}`), element("div", { class: "bar" }, bar));
      row.append(element("span", { class: "number" }, percent(value)));
      if (chances) row.append(element("span", { class: "number second" }, percent(option.win)));
      box.append(row);
    });
  }

  // -- the log -----------------------------------------------------------------------------------
  const lines = [];
  function writeLog() {
    let turn = null;
    let whose = null;
    moments.slice(0, last).forEach((moment, i) => {
      if (moment.turn !== turn) {
        turn = moment.turn;
        whose = moment.agent;
        find("log").append(element("h3", {}, `Turn ${turn}, ${whose}`));
      }
      const who = moment.agent === whose ? "" : `${moment.agent}: `;
      const line = element("button", { type: "button" }, `${who}${moment.words}`);
      if (moment.possible === 1) line.classList.add("forced");
      for (const drop of lost.filter((each) => each.moment === i)) line.append(" ", element("span", { class: "fell" }, fell(drop)));
      line.addEventListener("click", () => jump(i + 1));
      find("log").append(line);
      lines.push(line);
    });
  }

  function markLine() {
    lines.forEach((line, i) => (i === frame - 1 ? line.setAttribute("aria-current", "true") : line.removeAttribute("aria-current")));
    const log = find("log");
    const line = lines[frame - 1];
    log.scrollTop = line ? line.offsetTop - log.clientHeight / 2 : 0; // only the log scrolls, never the page
  }

  function listLost() {
    find("lost-card").hidden = !lost.length;
    lost.forEach((drop) => {
      const moment = moments[drop.moment];
      const line = element("button", { type: "button" }, `turn ${moment.turn}, ${moment.agent}: ${moment.words} `);
      line.append(element("span", { class: "fell" }, fell(drop)));
      line.addEventListener("click", () => jump(drop.moment + 1));
      find("lost").append(element("li", {}, line));
    });
  }

  // -- the chart ---------------------------------------------------------------------------------
  const chart = find("chart");
  const EDGE = { left: 40, right: 12, top: 10, bottom: 18 };
  const across = (i) => EDGE.left + (i / Math.max(last, 1)) * (chart.clientWidth - EDGE.left - EDGE.right);
  const down = (win) => EDGE.top + (1 - win) * (chart.clientHeight - EDGE.top - EDGE.bottom);
  const needle = drawn("line", { class: "now" });
  const dot = drawn("circle", { class: "dot", r: 3.5 });

  function drawChart() {
    chart.replaceChildren();
    for (const win of [0, 0.5, 1]) {
      chart.append(drawn("line", { class: "grid", x1: across(0), x2: across(last), y1: down(win), y2: down(win) }));
      chart.append(drawn("text", { x: EDGE.left - 6, y: down(win) + 4, "text-anchor": "end" }, percent(win)));
    }
    let free = 0; // where the next turn's number has room
    moments.forEach((moment, i) => {
      if (i && moment.turn === moments[i - 1].turn) return;
      const x = across(i);
      chart.append(drawn("line", { class: "grid", x1: x, x2: x, y1: down(1), y2: down(0) }));
      if (x < free || x > chart.clientWidth - 14) return;
      chart.append(drawn("text", { x: x + 2, y: chart.clientHeight - 4 }, moment.turn));
      free = x + 20;
    });
    const points = moments.map((moment, i) => `${across(i).toFixed(1)},${down(moment.win).toFixed(1)}`);
    chart.append(drawn("polygon", { class: "area", points: [`${across(0)},${down(0)}`, ...points, `${across(last)},${down(0)}`].join(" ") }));
    chart.append(drawn("polyline", { class: "curve", points: points.join(" ") }));
    chart.append(needle, dot);
    lost.forEach((drop, i) => {
      const x = across(drop.moment + 1);
      const y = Math.max(EDGE.top + 2, down(moments[drop.moment].win));
      const mark = drawn("g", { class: "fall" });
      mark.append(drawn("circle", { cx: x, cy: y, r: 7 }), drawn("text", { x, y: y + 3.5 }, i + 1));
      mark.append(drawn("title", {}, fell(drop)));
      chart.append(mark);
    });
    moveNeedle();
  }

  function moveNeedle() {
    const x = across(Math.max(frame, 0));
    for (const [key, value] of Object.entries({ x1: x, x2: x, y1: down(1), y2: down(0) })) needle.setAttribute(key, value);
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", down(moments[Math.max(frame, 0)].win));
  }

  function jumpOnChart(event) {
    const width = chart.clientWidth - EDGE.left - EDGE.right;
    jump(Math.round(((event.clientX - chart.getBoundingClientRect().left - EDGE.left) / width) * last));
  }

  // -- moving through the game -------------------------------------------------------------------
  function go(to) {
    const wanted = Math.min(Math.max(to, 0), last);
    if (wanted === frame) return;
    frame = wanted;
    drawBoard();
    tellStatus();
    tellOptions();
    markLine();
    moveNeedle();
    find("slider").value = frame;
    find("turn").value = moments[frame].turn;
    find("place").textContent = `${frame} of ${last}`;
    document.body.dataset.frame = frame;
  }

  function jump(to) {
    pause();
    go(to);
  }

  function pause() {
    clearTimeout(timer);
    timer = null;
    showPlaying();
  }

  function play() {
    if (frame === last) go(0);
    tick();
  }

  function tick() {
    const forced = moments[frame].possible === 1 ? FORCED : 1;
    timer = setTimeout(() => {
      go(frame + 1);
      if (frame === last) pause();
      else tick();
    }, (DWELL * forced) / Number(find("speed").value));
    showPlaying();
  }

  function showPlaying() {
    const playing = timer !== null;
    find("play").textContent = playing ? "❚❚" : "▶";
    find("play").setAttribute("aria-label", playing ? "pause" : "play");
    document.body.dataset.playing = playing;
  }

  const toggle = () => (timer === null ? play() : pause());
  const turnStart = (turn) => moments.findIndex((moment) => moment.turn === turn);
  function jumpTurn(by) {
    const turns = [...new Set(moments.map((moment) => moment.turn))];
    const at = turns.indexOf(moments[frame].turn);
    const start = turnStart(turns[at]);
    if (by < 0 && frame > start) return jump(start);
    const to = turns[at + by];
    return jump(to === undefined ? (by < 0 ? 0 : last) : turnStart(to));
  }

  const KEYS = {
    " ": toggle,
    ArrowRight: () => jump(frame + 1),
    ArrowLeft: () => jump(frame - 1),
    PageDown: () => jumpTurn(1),
    PageUp: () => jumpTurn(-1),
    Home: () => jump(0),
    End: () => jump(last),
  };

  function onKey(event) {
    const target = event.target;
    if (event.ctrlKey || event.altKey || event.metaKey || target.tagName === "SELECT") return;
    if (event.key === " " && target.tagName === "BUTTON") return; // presses that button
    const key = KEYS[event.key];
    if (!key) return;
    event.preventDefault();
    key();
  }

  // -- the start ---------------------------------------------------------------------------------
  find("title").textContent = game.title;
  find("about").textContent = game.about;
  for (const speed of SPEEDS) find("speed").append(element("option", { value: speed }, `${speed}×`));
  find("speed").value = 1;
  for (const turn of new Set(moments.map((moment) => moment.turn))) find("turn").append(element("option", { value: turn }, turn));
  find("slider").max = last;
  writeLog();
  listLost();
  find("first").addEventListener("click", KEYS.Home);
  find("back").addEventListener("click", KEYS.ArrowLeft);
  find("play").addEventListener("click", toggle);
  find("next").addEventListener("click", KEYS.ArrowRight);
  find("last").addEventListener("click", KEYS.End);
  find("slider").addEventListener("input", () => jump(Number(find("slider").value)));
  find("turn").addEventListener("change", () => jump(turnStart(Number(find("turn").value))));
  find("board").addEventListener("click", () => find("board").classList.toggle("large"));
  chart.addEventListener("pointerdown", jumpOnChart);
  chart.addEventListener("pointermove", (event) => event.buttons && jumpOnChart(event));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && event.detail) button.blur(); // so that the space bar plays after a click
  });
  document.addEventListener("keydown", onKey);
  new ResizeObserver(drawChart).observe(chart);
  go(0);
  showPlaying();
})();
