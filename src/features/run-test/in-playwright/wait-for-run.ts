// Loads the modules of the project's Playwright Test, waits at the input for what its program is to run, and then goes on as Node does with that
// program: neither the configuration nor a test is loaded before. Its text is written to a file, so it uses nothing from outside of it.

export interface WaitSettings {
  /** The command line program of the project's Playwright Test. */
  readonly program: string
  /** Where Node keeps the code of Playwright, compiled, for the next run. */
  readonly compiledModules: string
}

/** The line at the input. */
export interface AwaitedRun {
  readonly arguments: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Ends the process if the input ends, or if a module has changed until then. */
export function waitForRun(load: NodeJS.Require, { program, compiledModules }: WaitSettings): void {
  const { statSync, writeSync } = load('node:fs') as typeof import('node:fs')
  const module = load('node:module') as typeof import('node:module') & { runMain(): void }
  const { isAbsolute } = load('node:path') as typeof import('node:path')
  const { argv, env, exit, stdin } = load('node:process') as typeof import('node:process')

  const setVariables = (variables: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(env)) if (variables[name] === undefined) delete env[name]
    Object.assign(env, variables)
  }
  const loadModules = () => {
    if (env['NODE_V8_COVERAGE'] === undefined) module.enableCompileCache?.(compiledModules)
    const own = { ...env }
    // As the script of the run has it when it loads them.
    env['DEBUG'] = [own['DEBUG'], 'pw:webserver'].filter(Boolean).join(',')
    try {
      module.createRequire(program)('playwright/lib/program')
    } catch {
      // The program then reports what is missing.
    }
    setVariables(own)
  }
  const describeModules = () =>
    Object.keys(load.cache)
      .map((path) => {
        const { ino, ctimeMs } = statSync(path)
        return `${path} ${ino} ${ctimeMs}`
      })
      .join('\n')

  argv[1] = program
  loadModules()
  const modules = describeModules()
  const begin = (run: AwaitedRun) => {
    if (describeModules() !== modules) exit(1)
    setVariables(run.env)
    argv.push(...run.arguments)
    // It says that the run begins: a line without content is no output.
    writeSync(1, '.\n')
    // Node has loaded only those that the process was started with.
    for (const [, quoted, path = quoted] of env['NODE_OPTIONS']?.matchAll(
      /--require[= ](?:"([^"]+)"|(\S+))/g,
    ) ?? [])
      if (path && isAbsolute(path)) load(path)
    module.runMain()
  }
  const chunks: Buffer[] = []
  const read = (chunk: Buffer) => {
    chunks.push(chunk)
    if (chunk.at(-1) !== 10) return
    stdin.off('data', read).off('end', exit).pause().unref()
    begin(JSON.parse(String(Buffer.concat(chunks))) as AwaitedRun)
  }
  stdin.on('data', read).on('end', exit)
}
