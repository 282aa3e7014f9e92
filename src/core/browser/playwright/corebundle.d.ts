// What Playwright exports without types: the registry of its browser builds, and the parser of locators.

declare module 'playwright-core/lib/coreBundle' {
  interface Executable {
    readonly title?: string
    readonly browserVersion?: string
    readonly directory?: string
    readonly downloadURLs?: readonly string[]
    executablePath(): string | undefined
  }
  export const registry: { readonly registry: { findExecutable(name: string): Executable | undefined } }
  /** Throws if the locator cannot be parsed. A selector stays as it is. */
  export const iso: {
    unsafeLocatorOrSelectorAsSelector(
      language: 'javascript',
      locator: string,
      testIdAttribute?: string,
    ): string
  }
}
