// Runs within each Node process of a server, before its program. The functions are written to a file as text, so they use nothing outside of
// themselves.

import type { createRequire } from 'node:module'

/** A script as `Profiler.takePreciseCoverage` tells it, without its text. */
export interface CountedFunctions {
  readonly scriptId: string
  readonly url: string
  readonly functions: readonly CountedFunction[]
}

export interface CountedFunction {
  readonly functionName: string
  readonly ranges: readonly {
    readonly startOffset: number
    readonly endOffset: number
    readonly count: number
  }[]
  readonly isBlockCoverage: boolean
}

/** The first line that a process sends. */
export interface ProcessGreeting {
  readonly pid: number
  readonly threadId: number
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly cwd: string
}

export type CoverageQuestion =
  | { readonly id: number; readonly take: true }
  /** The texts of these scripts. */
  | { readonly id: number; readonly texts: readonly string[] }

/** A question is answered by lines, one for each script, and a last one. */
export interface CoverageAnswer {
  readonly id: number
  readonly script?: CountedFunctions
  readonly text?: readonly [scriptId: string, text: string]
}

type Load = ReturnType<typeof createRequire>

interface Counter {
  answer(question: CoverageQuestion): readonly CoverageAnswer[]
  end(): void
}

/** Connects this process, or this thread, to the socket. Each error leaves the program as it would be without. */
export function installCoverage(load: Load, socketPath: string, count: (load: Load) => Counter): void {
  try {
    const { env, argv, pid, cwd } = load('node:process') as typeof import('node:process')
    // Package managers and Playwright have no code of the application.
    const isLeftAlone =
      /[\\/]node_modules[\\/](npm|pnpm|corepack|playwright|@playwright[\\/]test)[\\/]|[\\/]yarn[^\\/]*$/
    // A reader of coverage of the user's own would find counts that start again.
    if (env['NODE_V8_COVERAGE'] || isLeftAlone.test(argv[1] ?? '')) return
    const { answer, end } = count(load)
    const { connect } = load('node:net') as typeof import('node:net')
    const { threadId, parentPort } = load('node:worker_threads') as typeof import('node:worker_threads')
    const socket = connect(socketPath)
    socket.unref()
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    const startedAt = Math.round(performance.timeOrigin)
    socket.write(`${JSON.stringify({ pid, threadId, startedAt, cwd: cwd() })}\n`)
    // The worker of Nitro, as in Nuxt, is replaced after an edit; nothing of this may keep the old one. A listener before the worker's own
    // would take the messages that wait for that one.
    const disconnectAtShutdown = () => {
      if (!parentPort?.listenerCount('message')) return
      clearInterval(timer)
      parentPort.on('message', (message: { readonly event?: string } | undefined) => {
        if (message?.event !== 'shutdown') return
        socket.destroy()
        end()
      })
    }
    const timer = env['NITRO_DEV_WORKER_ID'] === undefined ? undefined : setInterval(disconnectAtShutdown, 20)
    timer?.unref()
    let rest = ''
    socket.on('data', (chunk: string) => {
      try {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines)
          for (const part of answer(JSON.parse(line))) socket.write(`${JSON.stringify(part)}\n`)
      } catch {
        socket.destroy()
      }
    })
  } catch {}
}

/** Counts from now on which blocks run, and tells what ran since the last question. */
export function countBlocks(load: Load): Counter {
  const { Session } = load('node:inspector') as typeof import('node:inspector')
  const session = new Session()
  session.connect()
  // In the same thread the answer is there when `post` returns.
  const post = <T>(method: string, parameters: object = {}): Partial<T> => {
    let result: object | undefined
    session.post(method, parameters, (_, value?: object) => (result = value))
    return result ?? {}
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const isLibrary = (url: string) =>
    /[\\/]node_modules[\\/](?!\.vite-temp[\\/])|[\\/]chunks[\\/](ssr[\\/])?node_modules_/.test(url)
  // React evaluates scripts with the positions of a component to make a stack of it: about://React/Server/...
  const isFile = (url: string) => /^(file:\/\/|webpack-internal:\/\/|\/|[A-Za-z]:[\\/])/.test(url)
  const take = () => {
    const { result = [] } = post<{ result: CountedFunctions[] }>('Profiler.takePreciseCoverage')
    return result.filter(({ url }) => isFile(url) && !isLibrary(url))
  }
  // V8 forgets the blocks of all compiled functions when the last debugger leaves, so this one stays once it is needed.
  let hasDebugger = false
  const readTexts = (ids: readonly string[]) => {
    if (!hasDebugger) post('Debugger.enable', { maxScriptsCacheSize: 0 })
    if (!hasDebugger) post('Debugger.setSkipAllPauses', { skip: true })
    hasDebugger = true
    return ids.flatMap((scriptId) => {
      const { scriptSource } = post<{ scriptSource: string }>('Debugger.getScriptSource', { scriptId })
      return scriptSource === undefined ? [] : { text: [scriptId, scriptSource] as const }
    })
  }
  return {
    answer(question) {
      const parts = 'take' in question ? take().map((script) => ({ script })) : readTexts(question.texts)
      return [...parts, {}].map((part) => ({ id: question.id, ...part }))
    },
    end: () => session.disconnect(),
  }
}
