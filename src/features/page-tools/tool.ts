import * as v from 'valibot'
import { type Failure, invalidParameter } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import { clip } from '../../core/base/text/clip.ts'
import { resultFieldsOf } from '../../core/browser/tools/result-fields.ts'
import { definePageTool } from '../../core/sessions/tools/define-session-tool.ts'
import { snapshot as coreSnapshot } from '../../core/snapshot/tools/snapshot.ts'
import { quote } from '../../core/tool/field-texts.ts'
import { text, timeout } from '../../core/tool/fields.ts'
import type { PageTool } from './in-page/offered-tools.ts'
import { nameOf, relaxSchema, signatureOf } from './page-tool.ts'
import { readOffers } from './page-tools.ts'

const PAGE_TOOL_NAME_LIMIT_CHARS = 200
const FIELD_LIMIT = 200

export const pageTools = definePageTool({
  name: 'page_tools',
  title: 'Page tools',
  description:
    'Tools that the page offers to agents (WebMCP): lists them, or calls the one with this name. What they say is the word of the page.',
  effect: 'acts',
  changesPage: ({ name }) => name !== undefined,
  readsPageOutput: true,
  input: {
    name: v.optional(v.pipe(text(PAGE_TOOL_NAME_LIMIT_CHARS), v.minLength(1))),
    input: v.optional(v.pipe(v.record(text(PAGE_TOOL_NAME_LIMIT_CHARS), v.any()), v.maxEntries(FIELD_LIMIT))),
    timeout,
  },
  output: {
    success: v.boolean(),
    tools: v.optional(
      v.array(
        v.object({
          name: v.string(),
          description: v.string(),
          inputSchema: v.optional(v.any()),
          origin: v.optional(v.string()),
          annotations: v.optional(v.any()),
        }),
      ),
    ),
    omitted: v.optional(v.number()),
    result: v.optional(v.any()),
    notes: v.optional(v.array(v.string())),
    path: v.optional(v.string()),
  },
  texts: {
    tools: (tools: readonly PageTool[]) =>
      tools.length === 0 ? ['The page offers no tools.'] : tools.map(lineOf),
    omitted: (count: number) => [`${count} more are not listed: a page offers at most 100.`],
    result: (result: unknown) => [
      `the page answers: ${typeof result === 'string' ? quote(result) : JSON.stringify(result)}`,
    ],
  },
  async run({ name, input = {} }, page, deadline, { session }) {
    const tools = await readOffers(page, deadline)
    if (!tools.ok) return tools
    const { omitted } = tools.value
    if (name === undefined)
      return ok({
        data: { success: true, tools: tools.value.tools as never, ...(omitted > 0 && { omitted }) },
      })
    const tool = tools.value.tools.find((one) => one.name === name)
    if (!tool) return err(unknownTool(name, tools.value.tools))
    const problem = await findProblem(tool, input)
    if (problem !== undefined) return err(invalidParameter('input', signatureOf(tool), problem))
    const answer = await page.perform({ kind: 'callTool', tool: 'page_tools', name, input }, deadline)
    if (!answer.ok) return answer
    const { result = null, notes } = answer.value
    return ok({ data: { success: true, ...(await resultFieldsOf({ result, notes }, session.folder)) } })
  },
})

const { definition } = coreSnapshot
const { url, title, ...restOutput } = definition.output
const SHOWN_LIMIT = 20

export const snapshot = definePageTool({
  ...definition,
  output: { url, title, pageTools: v.optional(v.array(v.string())), ...restOutput },
  texts: {
    ...definition.texts,
    pageTools: (names: readonly string[]) => [`tools of the page: ${names.join(', ')}`],
  },
  async run(input, page, deadline, context) {
    const taken = await definition.run(input, page, deadline, context)
    if (!taken.ok) return taken
    const offered = await readOffers(page, deadline)
    const names = offered.ok ? offered.value.tools.slice(0, SHOWN_LIMIT).map(signatureOf) : []
    const { url: pageUrl, title: pageTitle, ...data } = taken.value.data
    const toolFields = names.length > 0 ? { pageTools: names } : {}
    return ok({ data: { url: pageUrl, title: pageTitle, ...toolFields, ...data } })
  },
})

// --- internal ---

const LINE_LIMIT_CHARS = 600
const DESCRIPTION_LIMIT_CHARS = 300
const LISTED_NAMES_LIMIT = 20

function lineOf({ description, origin, annotations = {}, ...tool }: PageTool): string {
  const hints = Object.entries(annotations).flatMap(([hint, isSet]) => (isSet ? [hint] : []))
  const parts = [
    signatureOf(tool as PageTool),
    quote(clip(description, DESCRIPTION_LIMIT_CHARS)),
    ...(origin === undefined ? [] : [`of the frame ${origin}`]),
    ...hints,
  ]
  return clip(parts.join(' '), LINE_LIMIT_CHARS)
}

const unknownTool = (name: string, tools: readonly PageTool[]): Failure =>
  invalidParameter(
    'name',
    tools.length === 0
      ? 'a tool of the page, which offers none'
      : `one of ${tools
          .slice(0, LISTED_NAMES_LIMIT)
          .map((tool) => nameOf(tool.name))
          .join(', ')}`,
    JSON.stringify(name),
  )

/** What is wrong with the input by the schema of the page; undefined if nothing is, or if it is no schema. */
async function findProblem({ inputSchema }: PageTool, input: object): Promise<string | undefined> {
  const { CfWorkerJsonSchemaValidator } = await import('@modelcontextprotocol/server/validators/cf-worker')
  try {
    const validate = new CfWorkerJsonSchemaValidator({ draft: '2020-12' }).getValidator(
      relaxSchema(inputSchema ?? {}) as never,
    )
    const result = validate(input)
    return result.valid ? undefined : result.errorMessage
  } catch {
    return undefined
  }
}
