// The tools that a page offers to agents (WebMCP), read and called in the page, so that what leaves it has a limit.

import {
  ERROR_LIMIT_CHARS,
  type ScriptError,
  type SerializedValue,
  serializeValue,
} from '../../../core/browser/in-page/page/serialize-value.ts'

interface ModelContextTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: unknown
  readonly annotations?: Readonly<Record<string, unknown>>
  readonly window?: unknown
}

interface ModelContext {
  getTools?(): Promise<readonly ModelContextTool[]>
  invokeTool?(name: string, input: unknown): Promise<unknown>
  executeTool?(tool: ModelContextTool, input: unknown): Promise<unknown>
}

function findModelContext(): ModelContext | undefined {
  const { document, navigator } = globalThis as unknown as Partial<
    Record<'document' | 'navigator', { readonly modelContext?: ModelContext }>
  >
  return document?.modelContext ?? navigator?.modelContext
}

export interface ToolLimits {
  readonly tools: number
  readonly nameChars: number
  readonly descriptionChars: number
  readonly schemaChars: number
}

/** The first tools of this frame, and how many it has. */
export async function readOfferedTools(
  _: unknown,
  limits: ToolLimits,
): Promise<{ readonly tools: readonly PageTool[]; readonly count: number }> {
  const context = findModelContext()
  const offered = (await context?.getTools?.()) ?? []
  const own = offered.filter((tool) => !('window' in tool) || tool.window === globalThis)
  const cut = (text: unknown, limit: number): string => String(text ?? '').slice(0, limit)
  const schemaOf = ({ inputSchema }: ModelContextTool): unknown => {
    try {
      const text = typeof inputSchema === 'string' ? inputSchema : JSON.stringify(inputSchema)
      return text !== undefined && text.length <= limits.schemaChars ? JSON.parse(text) : undefined
    } catch {
      return undefined
    }
  }
  const tools = own.slice(0, limits.tools).map((tool) => {
    const inputSchema = schemaOf(tool)
    const { readOnlyHint, untrustedContentHint, consequentialHint } = tool.annotations ?? {}
    const annotations = {
      ...(readOnlyHint === true && { readOnly: true }),
      ...(untrustedContentHint === true && { untrustedContent: true }),
      ...(consequentialHint === true && { consequential: true }),
    }
    return {
      name: cut(tool.name, limits.nameChars),
      description: cut(tool.description, limits.descriptionChars),
      inputSchema,
      ...(Object.keys(annotations).length > 0 && { annotations }),
    }
  })
  return { tools, count: own.length }
}

/** Calls a tool. Its error is a value, as that of a script is. */
export async function callOfferedTool(
  _: unknown,
  { name, input }: { readonly name: string; readonly input: unknown },
): Promise<SerializedValue | ScriptError> {
  const context = findModelContext()
  const execute = async (): Promise<unknown> => {
    if (context?.invokeTool) return context.invokeTool(name, input)
    const tools = (await context?.getTools?.()) ?? []
    const tool = tools.find((one) => one.name === name && (!('window' in one) || one.window === globalThis))
    if (!context?.executeTool || !tool) throw new Error(`the page has no tool ${name}`)
    // Some versions take the input as a text, and give one.
    const answer = await context.executeTool(tool, input).catch((error: unknown) => {
      if (!String((error as Error | undefined)?.message).includes('Failed to parse input')) throw error
      return context.executeTool?.(tool, JSON.stringify(input))
    })
    if (typeof answer !== 'string') return answer
    if (answer === 'undefined') return undefined
    try {
      return JSON.parse(answer) as unknown
    } catch {
      return answer
    }
  }
  try {
    return serializeValue(await execute())
  } catch (error) {
    const { name: kind = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>
    return { error: `${kind}: ${message}`.slice(0, ERROR_LIMIT_CHARS) }
  }
}

export interface PageTool {
  readonly name: string
  readonly description: string
  /** A JSON Schema. */
  readonly inputSchema?: unknown
  /** The origin of the frame that offers it, if it is another one than that of the page. */
  readonly origin?: string
  readonly annotations?: {
    readonly readOnly?: boolean
    readonly untrustedContent?: boolean
    readonly consequential?: boolean
  }
}
