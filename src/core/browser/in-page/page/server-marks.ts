/** Whether the document has the marks of a framework that renders it on the server. */
export const hasServerMarks = (): boolean =>
  document.querySelector(
    '#__NEXT_DATA__, script[src*="/_next/"], #__nuxt, [data-server-rendered], #___gatsby, astro-island, [data-sveltekit-hydrate], [ng-server-context]',
  ) !== null ||
  [...document.scripts].some(
    ({ src, textContent }) =>
      !src && /__sveltekit_|__reactRouterContext|__remixContext|_\$HY\b/.test(textContent),
  )
