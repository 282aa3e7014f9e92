/** The files that Playwright Test takes for its configuration, in its order. */
export const CONFIG_NAMES: readonly string[] = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map(
  (ending) => `playwright.config.${ending}`,
)
