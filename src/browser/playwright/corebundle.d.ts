// The registry of Playwright's browser builds, which is exported without types.

declare module 'playwright-core/lib/coreBundle' {
  interface Executable {
    readonly title?: string
    readonly browserVersion?: string
    readonly directory?: string
    readonly downloadURLs?: readonly string[]
    executablePath(): string | undefined
  }
  export const registry: { readonly registry: { findExecutable(name: string): Executable | undefined } }
}
