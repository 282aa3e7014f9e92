// Saves the scripts in which a page reports errors, because Playwright's traces have none: they name the lines of the source. The web server
// runs while the tests do only. The text of this function is written to a file, so it uses nothing from outside of it.

export interface ScriptReaderSettings {
  /** The folder of the scripts; the name of each is the SHA-1 of its URL. */
  readonly scripts: string
}

interface ConsoleMessage {
  type(): string
  text(): string
  location(): { readonly url: string }
}

interface WebError {
  error(): Error
}

interface Context {
  /** Those of requests alone have no events. */
  on?(event: string, listener: (event: never) => void): void
}

/** Returns the function that watches a context of Playwright. */
export function createScriptReader(
  load: NodeJS.Require,
  settings: ScriptReaderSettings,
): (context: object) => void {
  const { createHash } = load('node:crypto') as typeof import('node:crypto')
  const { mkdirSync, writeFileSync } = load('node:fs') as typeof import('node:fs')
  const { join } = load('node:path') as typeof import('node:path')
  const SCRIPT_LIMIT = 50
  const SCRIPT_LIMIT_CHARS = 8_000_000
  const TIMEOUT_MS = 3000
  const LOCAL_POSITION = /(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/[^\s()'"<>]*?):\d+:\d+/g
  const known = new Set<string>()
  const save = async (url: string) => {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = response.ok ? await response.text() : ''
    if (text.length > SCRIPT_LIMIT_CHARS || !/javascript/.test(response.headers.get('content-type') ?? ''))
      return
    mkdirSync(settings.scripts, { recursive: true, mode: 0o700 })
    writeFileSync(join(settings.scripts, createHash('sha1').update(url).digest('hex')), text)
  }
  const readPositions = (text: string) => {
    for (const [, url = ''] of text.matchAll(LOCAL_POSITION)) {
      if (known.has(url) || known.size >= SCRIPT_LIMIT || url.includes('/node_modules/')) continue
      known.add(url)
      save(url).catch(() => {})
    }
  }
  return (context) => {
    const { on } = context as Context
    const onConsole = (message: ConsoleMessage) => {
      if (message.type() === 'error') readPositions(`${message.location().url}:1:1 ${message.text()}`)
    }
    on?.call(context, 'console', onConsole)
    on?.call(context, 'weberror', (event: WebError) => readPositions(event.error().stack ?? ''))
  }
}
