// Writes what the pages of a test have run, read before they close. Only Chromium counts that. The text of this function is written to a
// file, so it uses nothing from outside of it.

export interface CoverageWriterSettings {
  /** The folder of the reports; undefined if nobody wants them. */
  readonly coverage?: string | undefined
  /** At which it waits until it is read what the servers ran; undefined where none is counted. */
  readonly socket?: string | undefined
  /** The file that gets one event a line. */
  readonly events: string
  /** The command line program of the project's Playwright Test. */
  readonly program: string
}

interface CdpSession {
  send<T>(method: string, params?: object): Promise<T>
}

interface Page {
  url(): string
  close(...args: unknown[]): Promise<void>
  on(event: 'framenavigated', listener: (frame: { parentFrame(): unknown; url(): string }) => void): void
}

interface Context {
  /** Without it a call would be a step of the test. */
  _wrapApiCall?<T>(work: () => Promise<T>, options: { readonly internal: true }): Promise<T>
  pages(): Page[]
  newPage(): Promise<Page>
  newCDPSession(page: Page): Promise<CdpSession>
  close(...args: unknown[]): Promise<void>
  on(event: 'page', listener: (page: Page) => void): void
  on(event: 'response', listener: (response: { url(): string }) => void): void
  on(event: 'weberror', listener: () => void): void
}

interface RequestContext {
  dispose(...args: unknown[]): Promise<void>
}

interface RawScript {
  readonly scriptId: string
  readonly url: string
  readonly functions: readonly unknown[]
}

/** Returns the function that watches a context of Playwright. */
export function createCoverageWriter(
  load: NodeJS.Require,
  settings: CoverageWriterSettings,
): (context: object) => void {
  const { coverage: folder } = settings
  if (folder === undefined) return () => {}
  const { createHash } = load('node:crypto') as typeof import('node:crypto')
  const { appendFileSync, existsSync, mkdirSync, writeFileSync } = load('node:fs') as typeof import('node:fs')
  const { createRequire } = load('node:module') as typeof import('node:module')
  const { connect } = load('node:net') as typeof import('node:net')
  const { join } = load('node:path') as typeof import('node:path')
  const { pid } = load('node:process') as typeof import('node:process')
  const READ_TIMEOUT_MS = 5000
  const MAP_TIMEOUT_MS = 2000
  const RESOURCE_LIMIT = 2000
  const LIBRARY = /\/node_modules\/|\/\.vite\/deps\/|\/@vite\/|\/@react-refresh|\/@id\/__x00__/
  let contextCount = 0
  const report = (event: object) =>
    appendFileSync(settings.events, `${JSON.stringify({ type: 'coverage', ...event })}\n`)
  const readTest = (): { file?: string; testId?: string } => {
    try {
      const playwright = createRequire(settings.program).resolve('playwright/package.json')
      const { test } = createRequire(playwright)('playwright/test') as {
        test: { info(): { testId: string; file: string } }
      }
      const { testId, file } = test.info()
      return { testId, file }
    } catch {
      return {}
    }
  }
  const isLocal = (url: string) =>
    /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]|[\w-]+\.localhost)[:/]/.test(url) && !LIBRARY.test(url)
  const originOf = (url: string) => /^https?:\/\/[^/]*/.exec(url)?.[0]
  const within = <T>(work: Promise<T>) =>
    Promise.race([
      work.catch(() => undefined),
      new Promise<undefined>((resolve) =>
        AbortSignal.timeout(READ_TIMEOUT_MS).addEventListener('abort', () => resolve(undefined)),
      ),
    ])
  // After the last test Playwright kills them.
  const flushServers = () =>
    new Promise<void>((resolve) => {
      if (settings.socket === undefined) return resolve()
      const socket = connect(settings.socket, () =>
        socket.write(`${JSON.stringify({ flush: readTest().file ?? '' })}\n`),
      )
      socket.on('error', () => {}).on('close', () => resolve())
      socket.resume()
    })
  const save = (text: string, extension: string) => {
    const name = `${createHash('sha1').update(text).digest('hex')}.${extension}`
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), text)
    return name
  }
  const maps = new Map<string, Promise<string | undefined>>()
  const readMap = (url: string, text: string) => {
    const [, path = ''] = /\/\/[#@] sourceMappingURL=([^\s'"]+)\s*$/.exec(text) ?? []
    if (path === '' || path.startsWith('data:')) return undefined
    const address = new URL(path, url).href
    if (!isLocal(address)) return undefined
    const read = async () => {
      const response = await fetch(address, { signal: AbortSignal.timeout(MAP_TIMEOUT_MS) })
      return response.ok ? save(await response.text(), 'map') : undefined
    }
    const map = maps.get(address) ?? read().catch(() => undefined)
    maps.set(address, map)
    return map
  }
  const readScripts = async (session: CdpSession) => {
    const { result } = await session.send<{ result: RawScript[] }>('Profiler.takePreciseCoverage')
    const scripts = result.filter(({ url }) => isLocal(url))
    if (scripts.length > 0) await session.send('Debugger.enable')
    return Promise.all(
      scripts.map(async ({ scriptId, url, functions }) => {
        const source = session.send<{ scriptSource: string }>('Debugger.getScriptSource', { scriptId })
        const text = (await source.catch(() => undefined))?.scriptSource
        return {
          url,
          functions,
          ...(text !== undefined && { text: save(text, 'js'), map: await readMap(url, text) }),
        }
      }),
    )
  }
  const watchContext = (context: Context) => {
    const id = `${pid}-${(contextCount += 1)}`
    const sessions = new Map<Page, Promise<CdpSession>>()
    const resources = new Set<string>()
    const scripts: object[] = []
    let [isWhole, hasError] = [true, false]
    const runUnseen = <T>(work: () => Promise<T>) =>
      context._wrapApiCall?.(work, { internal: true }) ?? work()
    const open = async (page: Page) => {
      const session = await context.newCDPSession(page)
      const options = { callCount: true, detailed: true, allowTriggeredUpdates: false }
      await Promise.all([
        session.send('Profiler.enable'),
        session.send('Profiler.startPreciseCoverage', options),
      ])
      return session
    }
    const start = (page: Page) => {
      const known = sessions.get(page)
      if (known) return known
      const session = runUnseen(() => open(page))
      sessions.set(page, session)
      let origin = originOf(page.url())
      // What ran in another process is gone with it.
      page.on('framenavigated', (frame) => {
        if (frame.parentFrame()) return
        const next = originOf(frame.url())
        if (origin !== undefined && next !== origin) isWhole = false
        origin = next
      })
      const { close } = page
      page.close = async (...closeArguments) => {
        if (!(await within(read(page)))) isWhole = false
        return close.apply(page, closeArguments)
      }
      session.catch(() => (isWhole = false))
      return session
    }
    const read = async (page: Page) => {
      const session = sessions.get(page)
      sessions.delete(page)
      if (session) scripts.push(...(await runUnseen(async () => readScripts(await session))))
      return true
    }
    const { newPage, close } = context
    context.newPage = async () => {
      const page = await newPage.apply(context)
      await within(start(page))
      return page
    }
    context.on('page', (page: Page) => void start(page).catch(() => {}))
    context.on('response', (response: { url(): string }) => {
      const url = response.url()
      if (!isLocal(url)) return
      if (resources.size < RESOURCE_LIMIT) resources.add(new URL(url).pathname)
      else isWhole = false
    })
    context.on('weberror', () => (hasError = true))
    for (const page of context.pages()) void start(page).catch(() => {})
    report({ id, ...readTest() })
    context.close = async (...closeArguments) => {
      const pages = [...sessions.keys()]
      const [all] = await Promise.all([within(Promise.all(pages.map(read))), within(flushServers())])
      const path = save(JSON.stringify({ scripts, resources: [...resources], hasError }), 'json')
      report({ id, ...readTest(), path, isWhole: isWhole && all !== undefined })
      return close.apply(context, closeArguments)
    }
  }
  const watchRequests = (context: RequestContext) => {
    const { dispose } = context
    context.dispose = async (...disposeArguments) => {
      await within(flushServers())
      return dispose.apply(context, disposeArguments)
    }
  }
  return (context) => {
    try {
      if ('pages' in context) watchContext(context as Context)
      else watchRequests(context as RequestContext)
    } catch {
      // Other browsers count nothing.
    }
  }
}
