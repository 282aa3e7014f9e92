// What Playwright knows of its own builds. It is exported without types.

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
