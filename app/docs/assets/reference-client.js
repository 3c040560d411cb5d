// Starts the viewer. Everything it could ask from elsewhere is switched off.
const place = document.getElementById("reference");
const chosen = document.documentElement.dataset.theme;
const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);

globalThis.Scalar.createApiReference(place, {
  url: place.dataset.document,
  theme: "none",
  layout: "modern",
  darkMode: isDark,
  forceDarkModeState: isDark ? "dark" : "light",
  hideDarkModeToggle: true,
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "json",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  orderSchemaPropertiesBy: "preserve",
  persistAuth: false,
  localization: { locale: document.documentElement.lang.split("-")[0] },
});

// What the viewer leaves without a name for screen readers.
const NAMELESS = [
  { selector: ".scalar-code-copy:not([aria-label])", attributes: { "aria-label": place.dataset.copy } },
  {
    selector: "[role=combobox][contenteditable]:not([aria-label])",
    attributes: { "aria-label": place.dataset.keyValue, role: "textbox" },
  },
];

function giveNames() {
  for (const { selector, attributes } of NAMELESS) {
    for (const element of document.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    }
  }
}

let isScheduled = false;
new MutationObserver(() => {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    giveNames();
  });
}).observe(document.body, { childList: true, subtree: true });
