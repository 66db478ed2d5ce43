// What the pages do beyond plain HTML: theme, question box, passage panel, uploading. Everything
// here improves on a page that works without it.
"use strict";

const $ = (selector, from = document) => from.querySelector(selector);

function notify(text) {
  const line = document.createElement("p");
  line.textContent = text;
  $("#notice").replaceChildren(line);
  setTimeout(() => line.remove(), 6000);
}

// Theme: the button turns what is seen now into its opposite, and that choice is remembered.
const themeButton = $("[data-theme-toggle]");
if (themeButton) {
  themeButton.hidden = false;
  themeButton.addEventListener("click", () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
  });
}

// Question box: Enter asks, Shift+Enter is a new line; Enter also ends the composing of CJK input.
const composer = $("[data-composer]");
if (composer) {
  const box = $("textarea", composer);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (box.value.trim()) composer.requestSubmit();
  });
  composer.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== composer || !event.detail.successful) return;
    if (event.detail.xhr.responseText.includes('class="turn"')) {
      box.value = "";
      $("#question-error").textContent = "";
    }
    box.focus();
  });
  document.addEventListener("click", (event) => {
    const topic = event.target.closest("[data-ask]");
    if (!topic) return;
    event.preventDefault();
    box.value = topic.dataset.ask;
    box.focus();
  });
}

// Stop takes a moment to reach a run that is at work.
document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt.matches("form.stop")) $("button", event.detail.elt).lastChild.textContent = " Stopping…";
});

function showLatestTurn() {
  const turn = $("#turns")?.lastElementChild;
  const end = $(".composer-dock").getBoundingClientRect().top;
  if (!turn || turn.getBoundingClientRect().bottom <= end) return;
  // The answer with its end, where it only fits without the question; else the beginning.
  const seen = end - $(".talk").getBoundingClientRect().top - 56;
  const answer = $(".answer", turn);
  const isCut = turn.offsetHeight > seen && answer && answer.offsetHeight < seen;
  (isCut ? answer : turn).scrollIntoView({ block: "start" });
}
if ($("#turns [data-running]")) showLatestTurn();
else if ($("#turns") && !location.hash) showLatestTurn();
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id === "turns") showLatestTurn();
});
document.body.addEventListener("htmx:sseBeforeMessage", (event) => {
  if (event.detail.type !== "done") return;
  const isLatest = event.target.closest(".turn") === $("#turns").lastElementChild;
  if (isLatest) setTimeout(showLatestTurn, 50);
});

// History: a drawer on a phone.
const historyButton = $("[data-history-toggle]");
function toggleHistory(open) {
  $("#history").classList.toggle("is-open", open);
  historyButton.setAttribute("aria-expanded", String(open));
  if (open) $("[data-history-close]").focus();
}
if (historyButton) {
  historyButton.addEventListener("click", () => {
    toggleHistory(!$("#history").classList.contains("is-open"));
  });
  $("[data-history-close]").addEventListener("click", () => {
    toggleHistory(false);
    historyButton.focus();
  });
}

// Passage panel: opens with the passage in view, closes with Esc, gives the focus back.
const panel = $("#panel");
let opener = null;

// The end of an answer replaces its markers, also the one whose passage is open.
const stillThere = (link) =>
  link === null || link.isConnected
    ? link
    : document.querySelector(`a[href="${CSS.escape(link.getAttribute("href") ?? "")}"]`);
function closePanel() {
  panel.hidden = true;
  panel.parentElement.classList.remove("has-panel");
  opener?.removeAttribute("aria-current");
  stillThere(opener)?.focus();
  opener = null;
}
// Scrolls only when the quote is not in view anyway, so that the title stays where it can.
function showCited(body) {
  body.scrollTop = 0;
  const table = $("mark", body)?.closest(".table-scroll"); // a long one scrolls within itself
  if (table) {
    const row = $("mark", table).getBoundingClientRect();
    table.scrollTop = row.top - table.getBoundingClientRect().top - table.clientHeight / 2;
  }
  const cited = $("mark", body)?.getBoundingClientRect();
  const view = body.getBoundingClientRect();
  const above = table ? cited.top - table.getBoundingClientRect().top : 0;
  if (cited && cited.bottom > view.bottom - 40) body.scrollTop = cited.top - view.top - 100 - above;
}
// Whether the picture of a page came; neither event bubbles.
for (const name of ["load", "error"]) {
  document.addEventListener(name, (event) => {
    const words = event.target.matches?.(".page-view img") && $(".page-wait", event.target.parentElement);
    if (!words) return;
    words.textContent = "This page cannot be shown just now.";
    (name === "load" ? words : event.target).remove();
  }, true);
}
// A row far down in a table that was cited; the address of the page can only name the table.
const citedInText = $(".reader mark");
if (citedInText) addEventListener("load", () => citedInText.scrollIntoView({ block: "center" }));
if (panel) {
  $("[data-panel-close]").addEventListener("click", closePanel);
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target?.id !== "passage") return;
    opener?.removeAttribute("aria-current");
    opener = event.detail.requestConfig?.elt ?? opener;
    opener?.setAttribute("aria-current", "true");
    panel.hidden = false;
    panel.parentElement.classList.add("has-panel");
    $("#passage").focus({ preventScroll: true });
    showCited($("#passage"));
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = $(".menu[open]");
  if (menu) {
    menu.open = false;
    $("summary", menu).focus();
  } else if ($("#history.is-open")) {
    toggleHistory(false);
    historyButton.focus();
  } else if (panel && !panel.hidden) closePanel();
});
document.addEventListener("click", (event) => {
  const menu = $(".menu[open]");
  if (menu && !menu.contains(event.target)) menu.open = false;
});

// Uploading: drop anywhere on the box; progress while the bytes travel.
const upload = $("[data-upload]");
if (upload) {
  const bar = $(".upload-progress", upload);
  for (const name of ["dragenter", "dragover"]) {
    upload.addEventListener(name, (event) => {
      event.preventDefault();
      upload.classList.add("is-over");
    });
  }
  for (const name of ["dragleave", "drop"]) {
    upload.addEventListener(name, () => upload.classList.remove("is-over"));
  }
  upload.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    $("input[type=file]", upload).files = event.dataTransfer.files;
    upload.requestSubmit();
  });
  upload.addEventListener("htmx:beforeRequest", (event) => {
    const most = Number(upload.dataset.mostFiles);
    if (event.target !== upload || $("input[type=file]", upload).files.length <= most) return;
    event.preventDefault();
    notify(`At most ${most} files can be sent at a time; send them in several goes.`);
  });
  // Browsers send the files of a folder without their paths.
  $("#folder", upload).addEventListener("change", (event) => {
    const paths = [...event.target.files].map((file) => file.webkitRelativePath);
    $("[data-folder-paths]", upload).value = JSON.stringify(paths);
  });
  upload.addEventListener("htmx:xhr:progress", (event) => {
    if (!event.detail.lengthComputable || event.target !== upload) return;
    bar.hidden = false;
    bar.value = (100 * event.detail.loaded) / event.detail.total;
  });
  upload.addEventListener("htmx:afterRequest", (event) => {
    bar.hidden = true;
    if (event.detail.successful) upload.reset();
  });
}

// A request that fails says so; one that was answered by the sign-in page leads there.
document.body.addEventListener("htmx:beforeSwap", (event) => {
  const url = new URL(event.detail.xhr.responseURL || location.href, location.href);
  if (url.pathname !== document.body.dataset.login) return;
  event.detail.shouldSwap = false;
  location.assign(document.body.dataset.login + "?next=" + encodeURIComponent(location.pathname));
});
document.body.addEventListener("htmx:responseError", (event) => {
  const { xhr } = event.detail;
  const isSentence = xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
  if ([400, 503].includes(xhr.status) && isSentence) notify(xhr.responseText);
  else notify(xhr.status === 404 ? "That is not here any more." : "That did not work. Please try again.");
});
document.body.addEventListener("htmx:sendError", () => notify("The server cannot be reached."));
