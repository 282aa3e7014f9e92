declare module 'istanbul-lib-instrument' {
  interface Instrumenter {
    instrumentSync(code: string, filename: string): string
    lastFileCoverage(): object
  }
  export function createInstrumenter(options: {
    readonly esModules: boolean
    readonly compact: boolean
    readonly parserPlugins?: readonly string[]
  }): Instrumenter
}
