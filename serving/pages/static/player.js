// For the page of an LMS: tells the chat, in a frame of the same page, where in a lecture the student is, and opens the
// chat's references in the page's own player.
//
//   <script async src="https://ta.example.edu/player.js" data-course="data-structures"></script>
//   <video data-coteach-lecture="02-stacks" src="…"></video>
//
// A `video` or `audio` element, or whatever holds one, is named by `data-coteach-lecture`. Another player is added by
// `coteachPlayer.add(lecture, { time: () => seconds, open: (seconds) => … })`, and says `coteachPlayer.moved(lecture)`
// while it plays. Nothing is sent to anybody but the frame of the gateway that this script comes from.
(() => {
  "use strict";
  const script = document.currentScript;
  const gateway = new URL(script.src).origin;
  const course = script.dataset.course;
  if (!course) return console.warn("coteach: the script needs data-course, the id of the course.");

  const EVERY_MS = 1000; // while it plays; a pause or a jump is told at once
  const chats = new Set(); // windows of frames of the gateway that said they are there
  const added = new Map();
  let current = null;
  let toldAt = 0;

  const mediaOf = (node) => (node instanceof HTMLMediaElement ? node : node.querySelector("video, audio"));
  const nodes = () => [...document.querySelectorAll("[data-coteach-lecture]")].filter(mediaOf);
  const ofElement = (node) => ({
    time: () => mediaOf(node).currentTime,
    open(seconds) {
      node.scrollIntoView({ block: "nearest" });
      mediaOf(node).currentTime = seconds;
      mediaOf(node).play().catch(() => {}); // browsers may want a click on this page first
    },
  });
  const playerOf = (lecture) => {
    const node = nodes().find((one) => one.dataset.coteachLecture === lecture);
    return added.get(lecture) ?? (node ? ofElement(node) : null);
  };

  const tell = (isSettled) => {
    const player = current === null ? null : playerOf(current);
    if (!player || !chats.size || (!isSettled && performance.now() - toldAt < EVERY_MS)) return;
    toldAt = performance.now();
    const second = Number(player.time()) || 0;
    for (const chat of chats) {
      chat.postMessage({ type: "coteach.position", course, lecture: current, second, isSettled }, gateway);
    }
  };

  const moved = (lecture, isSettled = false) => {
    const isOther = current !== lecture;
    current = lecture;
    tell(isSettled || isOther);
  };

  for (const name of ["play", "pause", "seeked", "timeupdate"]) {
    document.addEventListener(name, (event) => { // they do not bubble
      const node = event.target.closest?.("[data-coteach-lecture]");
      if (node) moved(node.dataset.coteachLecture, name !== "timeupdate");
    }, true);
  }

  const open = (asked) => {
    const player = asked.course === course ? playerOf(asked.lecture) : null;
    if (!player) return false;
    player.open(Math.max(Number(asked.second) || 0, 0));
    moved(asked.lecture, true);
    return true;
  };

  addEventListener("message", (event) => {
    if (event.origin !== gateway || !event.source) return;
    const asked = event.data ?? {};
    if (asked.type === "coteach.ready") {
      chats.add(event.source);
      current ??= nodes()[0]?.dataset.coteachLecture ?? [...added.keys()][0] ?? null;
      tell(true);
    } else if (asked.type === "coteach.open") {
      event.source.postMessage({ type: "coteach.opened", id: asked.id, isOpen: open(asked) }, gateway);
    }
  });

  globalThis.coteachPlayer = { add(lecture, player) { added.set(lecture, player); moved(lecture, true); }, moved };
})();
