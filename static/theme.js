// In the head and blocking: the chosen theme must be there before the first paint.
const theme = localStorage.getItem("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
document.documentElement.classList.add("js");
