// Lets the project's Playwright use a browser of this machine where its own is not installed. Playwright has no variable for that. A wrapper
// around its configuration would be overridden by a `test.use` with `launchOptions`, and would move every relative path of it; a folder of
// links for PLAYWRIGHT_BROWSERS_PATH needs the private path of the headless shell, and does nothing for projects with a `channel`. So
// `launch`, which is public and the same in all versions, is tried as it is, and only if the browser is missing again with another one.
// The script is loaded before others in every process of Node, and does nothing outside of Playwright's own. Its text is written to a file,
// so it uses nothing from outside of it.

export interface LaunchSettings {
  /** The command line program of the project's Playwright Test. */
  readonly program: string
  /** The file that gets one event a line. */
  readonly events: string
  /** The programs that stand in for a missing Chromium: one with windows, and one without, which starts faster. */
  readonly browser?: string
  readonly headlessShell?: string
  /** Whether Chromium's sandbox works here. */
  readonly hasSandbox: boolean
  readonly hasDisplay: boolean
  /** The features of Chromium that are on, whatever the project says. */
  readonly chromiumFeatures?: readonly string[] | undefined
  /** Where Node keeps the code of Playwright, compiled, for the next run. */
  readonly compiledModules: string
}

type Options = Readonly<Record<string, unknown>>
type Launch = (this: { name(): string }, ...launchArguments: unknown[]) => Promise<unknown>
interface Creator {
  newContext?: (...contextArguments: unknown[]) => Promise<object>
}

/** Changes how the Playwright of this process launches browsers. `watch` gets each of their new contexts, and those of requests alone. Never throws. */
export function installLaunchFallback(
  load: NodeJS.Require,
  settings: LaunchSettings,
  watch: (context: object) => void,
): void {
  const { isMainThread } = load('node:worker_threads') as typeof import('node:worker_threads')
  const { appendFileSync, realpathSync } = load('node:fs') as typeof import('node:fs')
  const { dirname, sep } = load('node:path') as typeof import('node:path')
  const { createRequire, enableCompileCache } = load('node:module') as typeof import('node:module')
  const { argv, env } = load('node:process') as typeof import('node:process')

  const optionIndexes = { launch: 0, launchServer: 0, launchPersistentContext: 1 }
  const forcedOptions = {
    ...(!settings.hasSandbox && { chromiumSandbox: false }),
    ...(!settings.hasDisplay && { headless: true }),
  }

  // The last list of features counts, and Playwright has one of its own.
  const addFeatures = (args: readonly string[]) => {
    const { chromiumFeatures = [] } = settings
    if (chromiumFeatures.length === 0) return args
    const name = '--enable-features='
    const own = args.findLast((arg) => arg.startsWith(name))?.slice(name.length) ?? 'CDPScreenshotNewSurface'
    return [...args, name + [own, ...chromiumFeatures].join()]
  }

  // The first line of the message, and the program in place of the missing one.
  const findSubstitute = (error: unknown) => {
    const message = error instanceof Error ? error.message : ''
    const [missing] =
      /Executable doesn't exist at .*|Chromium distribution .* is not found/.exec(message) ?? []
    if (missing === undefined) return undefined
    const isShell = /headless[-_]shell/.test(missing)
    const path = isShell
      ? (settings.headlessShell ?? settings.browser)
      : (settings.browser ?? settings.headlessShell)
    return path === undefined ? undefined : { missing, path }
  }

  const watchContexts = (result: unknown): unknown => {
    const browser = result as Creator & { pages?: unknown }
    if (browser.pages !== undefined) watch(browser)
    watchNewContexts(browser)
    return result
  }

  const watchNewContexts = (creator: Creator) => {
    const { newContext } = creator
    if (newContext)
      creator.newContext = async (...contextArguments) => {
        const context = await newContext.apply(creator, contextArguments)
        watch(context)
        return context
      }
  }

  const wrapLaunch = (launch: Launch, optionIndex: number): Launch =>
    async function launchAndWatch(...launchArguments) {
      return watchContexts(await launchAny(launch, optionIndex).apply(this, launchArguments))
    }

  const launchAny = (launch: Launch, optionIndex: number): Launch =>
    async function launchWithFallback(...launchArguments) {
      if (this.name() !== 'chromium') return launch.apply(this, launchArguments)
      const withOptions = (moreOptions: Options) => {
        const changedArguments = [...launchArguments]
        const options = changedArguments[optionIndex] as (Options & { args?: readonly string[] }) | undefined
        changedArguments[optionIndex] = { ...options, ...moreOptions, args: addFeatures(options?.args ?? []) }
        return changedArguments
      }
      try {
        return await launch.apply(this, withOptions(forcedOptions))
      } catch (error) {
        const substitute = findSubstitute(error)
        if (!substitute) throw error
        appendFileSync(settings.events, `${JSON.stringify({ type: 'browser', ...substitute })}\n`)
        return launch.apply(this, withOptions({ ...forcedOptions, executablePath: substitute.path }))
      }
    }

  // Playwright reports stdout of the web server if its log is on. The variable is read once, and must not reach the web server.
  const loadCore = (fromPlaywright: NodeJS.Require) => {
    const { DEBUG } = env
    env['DEBUG'] = [DEBUG, 'pw:webserver'].filter(Boolean).join(',')
    try {
      return fromPlaywright('playwright-core') as { chromium: object; request: Creator }
    } finally {
      if (DEBUG === undefined) delete env['DEBUG']
      else env['DEBUG'] = DEBUG
    }
  }

  try {
    const [, entry] = argv
    if (!isMainThread || entry === undefined) return
    const packageFile = createRequire(settings.program).resolve('playwright/package.json')
    const script = realpathSync(entry)
    const isPlaywright =
      script === realpathSync(settings.program) || script.startsWith(`${dirname(packageFile)}${sep}`)
    if (!isPlaywright) return
    // Node 20 has none, and what is counted must not come from there.
    if (env['NODE_V8_COVERAGE'] === undefined) enableCompileCache?.(settings.compiledModules)
    const { chromium, request } = loadCore(createRequire(packageFile))
    watchNewContexts(request)
    const browserType = Object.getPrototypeOf(chromium) as Record<string, Launch>
    for (const [name, optionIndex] of Object.entries(optionIndexes)) {
      const launch = browserType[name]
      if (launch) browserType[name] = wrapLaunch(launch, optionIndex)
    }
  } catch {
    // Playwright then reports what is missing.
  }
}
