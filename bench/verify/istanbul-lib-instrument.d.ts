declare module 'istanbul-lib-instrument' {
  interface Instrumenter {
    instrumentSync(code: string, filename: string): string
  }
  export function createInstrumenter(options: {
    readonly esModules: boolean
    readonly compact: boolean
  }): Instrumenter
}
