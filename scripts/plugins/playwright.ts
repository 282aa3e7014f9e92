// Adapts Playwright's two bundles to a single file, and leaves out what is not used: its command line, test runner, MCP server and dashboard,
// and the packages of these. Playwright loads in half the time then, which every first page waits for.

import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { keepReachable, namesIn, type SectionReader, splitSections } from './reachable-sections.ts'
import { replaceOnce } from './replace-once.ts'
import { readSafelyOnceShadowed } from './shadowed-members.ts'

// Playwright finds its own files by its installation folder, which a built file does not have: those reads become static.
const staticReads: readonly (readonly [RegExp, string])[] = [
  [/require\(import_path\d*\.default\.join\(packageRoot, "package\.json"\)\)/, 'require("../package.json")'],
  [
    /require\(import_path\d*\.default\.join\(packageRoot, "browsers\.json"\)\)/,
    'require("../browsers.json")',
  ],
]

// For the imports of ES modules in Node: a list of all exports, in code that never runs.
const exportList: readonly [RegExp, string] = [/^0 && \(module\.exports = \{[^]*?^\}\);$/m, '']

const omissions: readonly (readonly [RegExp, string])[] = [
  exportList,
  [
    /^__export\(coreBundle_exports, \{[^]*?^\}\);$/m,
    '__export(coreBundle_exports, { inprocess: () => inprocess_exports, registry: () => registry_exports, iso: () => ({ unsafeLocatorOrSelectorAsSelector }) });',
  ],
  [/^var init_coreBundle = __esm\(\{[^]*?^\}\);$/m, ''],
  [/^init_coreBundle\(\);$/m, 'init_inprocess();\ninit_registry();\ninit_locatorParser();'],
  // An `<object>` may be a frame; see `objectFrames`.
  [
    /node && \(node\.nodeName === "IFRAME" \|\| node\.nodeName === "FRAME"\)/,
    'node && ["IFRAME", "FRAME", "OBJECT"].includes(node.nodeName)',
  ],
  [
    /if \(element3\.nodeName !== "IFRAME" && element3\.nodeName !== "FRAME"\)/,
    'if (!["IFRAME", "FRAME", "OBJECT"].includes(element3.nodeName))',
  ],
  // A form may have a field with the name of a method; see shadowed-members.ts. This is how boxes are read in Firefox.
  [
    /element3\.getClientRects\(\)(?=\.length === 0\)\n +return null;\n +const rect = )/,
    'Element.prototype.getClientRects.call(element3)',
  ],
  [
    /(?<=Element\.prototype\.getClientRects\.call\(element3\)\.length === 0\)\n +return null;\n +const rect = )element3\.getBoundingClientRect\(\)/,
    'Element.prototype.getBoundingClientRect.call(element3)',
  ],
  // In Firefox a field whose value a script sets fires no `change` when it is left.
  [
    /(?<=} else \{\n)(?= +let value = inputElement\.value;\n)/,
    'if (window.Document.prototype.execCommand.call(window.document, "insertText", false, text)) return;\n',
  ],
  // A picture of the page may have the name of what it asks the document for.
  [
    /(?<=function bidiInsertText\(window, text\) \{\n +let element = )window\.document\.activeElement/,
    'Object.getOwnPropertyDescriptor(window.Document.prototype, "activeElement").get.call(window.document)',
  ],
  // Firefox names no navigation for the download of a `blob:` link. Its address and the name of its file stand for it.
  [
    /(?<=if \(!event\.download && !event\.navigation\)\n +)return;\n +(?=this\._page\.frameManager\.frameAbortedNavigation\(event\.context, "Download is starting"\))/,
    'event.navigation = `${event.url} ${event.suggestedFilename}`;\n else ',
  ],
  [
    /(?<=if \(!event\.download && !event\.navigation\)\n +)return;(?=\n +this\._browserContext\._browser\.downloadFinished\()/,
    'event.navigation = [...this._browserContext._browser._downloads.keys()].find((id) => id.startsWith(`${event.url} `));',
  ],
  // Firefox names no end of a navigation to another program, as of a `tel:` link, and each later action would wait for it.
  [
    /(?<=_onNavigationStarted\(params2\) \{\n +const frameId = params2\.context;\n)/,
    'if (!/^(?:https?|about|blob|data|file|javascript|moz-extension):/.test(params2.url)) return;\n',
  ],
  // Its codec is for pictures of WebKit on macOS, in a format that no tool offers.
  [/import_webp_codec = __toESM\(require_webp_codec\(\)\);/, ''],
  // An error has the name of its class, which the bundler shortens; the keys of an object stay.
  [
    /this\.name = this\.constructor\.name;/,
    'this.name = Object.entries({ TimeoutError, EvaluationStalledError, TargetClosedError, AbortError }).find(([, type]) => this instanceof type)?.[0] ?? "Error";',
  ],
  // Each call would parse its own stack, for file names that do not exist here.
  [
    /function captureLibraryStackTrace\(\) \{\n[^]*?\n\}\n(?=var init_clientStackTrace)/,
    'function captureLibraryStackTrace() { return { frames: [], apiName: "" } }\n',
  ],
  // An error of a page can have millions of lines, and Playwright parses each of them.
  [
    /const messageWithStack = getExceptionMessage\(exceptionDetails\);/,
    'const messageWithStack = getExceptionMessage(exceptionDetails).slice(0, 100_000);',
  ],
  // What it fetches of a server for a mock with `change` is kept in memory as a whole, and may have no end.
  [
    /body\.on\("data", \(chunk\) => chunks\.push\(chunk\)\);/,
    `let sizeBytes = 0;
            body.on("data", (chunk) => {
              sizeBytes += chunk.length;
              if (sizeBytes <= 50_000_000) return void chunks.push(chunk);
              chunks.length = 0;
              request2.destroy();
              reject(new Error("the response is larger than 50 MB"));
            });`,
  ],
  [
    /request2\.on\("error", handleRequestError\);/,
    `request2.on("error", handleRequestError);
          let informationCount = 0;
          request2.on("information", () => {
            informationCount += 1;
            if (informationCount <= 100) return;
            request2.destroy();
            reject(new Error("more than 100 informational responses"));
          });`,
  ],
  // Sends a message to the browser in one write instead of two.
  [
    /_pipeWrite\.write\(JSON\.stringify\(message\)\);\n +this\._pipeWrite\.write\("\\0"\);/,
    '_pipeWrite.write(JSON.stringify(message) + "\\0");',
  ],
]

export const staticPlaywright: BunPlugin = {
  name: 'static-playwright',
  setup(build) {
    build.onLoad({ filter: /playwright-core[\\/]lib[\\/](?:core|utils)Bundle\.js$/ }, async ({ path }) => ({
      contents: await readBundle(path),
      loader: 'js',
    }))
  },
}

/** One of Playwright's two bundles, with what is used of it. */
export async function readBundle(path: string): Promise<string> {
  const core = await readCore(join(path, '../coreBundle.js'))
  if (path.endsWith('utilsBundle.js')) return reduceUtils(await Bun.file(path).text(), exportsUsedBy(core))
  const missingFolder = JSON.stringify('/nonexistent/playwright-core/lib')
  return core.replaceAll('__dirname', missingFolder).replaceAll('__filename', missingFolder)
}

// --- internal ---

// What Playwright runs in pages: in its own world, and with each script in the world of the page, where `Map` may be another one.
const pageScripts: readonly (readonly [path: string, change: (script: string) => string])[] = [
  [
    'injectedScriptSource',
    (script) => readSafelyOnceShadowed([objectFrames, shadowsBefore].reduce(replaceOnce, script)),
  ],
  ['utilityScriptSource', (script) => keepMaps(replaceOnce(script, shadowsLooked))],
]

// An `<object>` that shows a document is a frame too; one that shows a picture has no window.
const objectFrames: readonly [RegExp, string] = [
  /(?<=function toAriaNode\([^]{0,200}?)if \(element\.nodeName === "IFRAME" \|\| element\.nodeName === "FRAME"\)/,
  'if (["IFRAME", "FRAME"].includes(element.nodeName) || (element.nodeName === "OBJECT" && element.contentWindow))',
]

// The page cannot see the globals of Playwright's own world.
const shadowsBefore: readonly [RegExp, string] = [
  /(?=this\.utils\.builtins = new UtilityScript\()/,
  'if (options.isUtilityWorld) window.footlightLookForShadows = lookForShadows;\n    ',
]
const shadowsLooked: readonly [RegExp, string] = [
  /(?<=\n +evaluate\(isFunction, [^)]*\) \{\n)/,
  '    globalThis.footlightLookForShadows?.();\n',
]

function keepMaps(script: string): string {
  const parts = script.split(/(?<=refs = |visited: )\/\* @__PURE__ \*\/ new Map\(\)/)
  if (parts.length !== 3)
    throw new Error('build: Playwright keeps what it serializes elsewhere; see scripts/plugins/playwright.ts')
  return NEW_REFS + parts.join('newRefs()')
}

const NEW_REFS = `
function newRefs() {
  try {
    const map = new Map();
    map.set(map, 1);
    if (map.get(map) === 1 && map.delete(map)) return map;
  } catch {}
  const keys = [], values = [];
  return {
    set(key, value) {
      const at = keys.length;
      keys[at] = key;
      values[at] = value;
    },
    get(key) {
      for (let at = 0; at < keys.length; at++) if (keys[at] === key) return values[at];
    },
  };
}
`

const changePageScripts = (bundle: string): string =>
  pageScripts.reduce((source, [name, change]) => {
    const literal = new RegExp(
      `(?<=generated/${name}\\.ts"\\(\\) \\{\\s+"use strict";\\s+source\\d* = )'.*'(?=;$)`,
      'm',
    )
    const [text] = literal.exec(source) ?? []
    if (!text) throw new Error(`build: Playwright has no ${name}; see scripts/plugins/playwright.ts`)
    const script: unknown = new Function(`return ${text}`)()
    return source.replace(literal, () => JSON.stringify(change(String(script))))
  }, bundle)

const isLazyModule = (section: string): boolean =>
  /^var (?:init|require)_\w+ = __(?:esm|commonJS)\(/m.test(section)

// A module is initialized by those that import it.
const coreReader: SectionReader = {
  declaredNames: (section) => namesIn(section, /^var ((?:init|require)_\w+) = __/gm),
  usedNames: (section) => namesIn(section, /\b((?:init|require)_\w+)/g),
}

const isEntryOfCore = (section: string): boolean => section.includes('coreBundle_exports = {}')

async function readCore(path: string): Promise<string> {
  const source = changePageScripts(
    [...staticReads, ...omissions].reduce(replaceOnce, await Bun.file(path).text()),
  )
  const sections = splitSections(source, (section) => isLazyModule(section) || isEntryOfCore(section))
  return keepReachable(sections, coreReader, isEntryOfCore)
}

/** The names in `x = require("./utilsBundle").name` and `({ name: x } = require("./utilsBundle"))`, and of what is read from the whole. */
const exportsUsedBy = (core: string): ReadonlySet<string> =>
  new Set([
    ...namesIn(core, /require\("\.\/utilsBundle"\)\.(\w+)/g),
    ...namesIn(core, /\(\{ ([^}]*) \} = require\("\.\/utilsBundle"\)\)/g).flatMap((list) =>
      namesIn(list, /(\w+)(?:: \w+)?/g),
    ),
    ...namesIn(core, /\bimport_utilsBundle\d*\.(\w+)/g),
  ])

const comments = /^\s*\/\/.*$|\/\*[^]*?\*\//gm

const utilsReader: SectionReader = {
  declaredNames: (section) => [
    ...namesIn(section, /^(?:async )?(?:function\*?|class|var|let|const) ([\w$]+)/gm),
    ...namesIn(section, /^var ((?:[\w$]+, )+[\w$]+);$/gm).flatMap((list) => list.split(', ')),
    ...namesIn(section, /^var \{([^}]*)\} = /gm).flatMap((list) => namesIn(list, /([\w$]+)(?=,|\s*$)/g)),
  ],
  // A CommonJS module has no names of others, an ES module any that is no member or label.
  usedNames: (section) =>
    isLazyModule(section)
      ? coreReader.usedNames(section)
      : namesIn(
          section.replace(comments, ''),
          /(?<![\w$'"`]|(?<!\.\.)\.)([A-Za-z_$][\w$]*)(?![\w$'"`]|\s*:)/g,
        ),
}

function reduceUtils(source: string, usedExports: ReadonlySet<string>): string {
  const listed = replaceOnce(source, exportList)
  const [, list = ''] = /^__export\(utilsBundle_exports, \{\n([^]*?)^\}\);$/m.exec(listed) ?? []
  const usedLines = list.split('\n').filter((line) => usedExports.has(/\w+/.exec(line)?.[0] ?? ''))
  if (usedLines.length < usedExports.size)
    throw new Error('build: Playwright uses other packages; see scripts/plugins/playwright.ts')
  const sections = splitSections(listed.replace(list, () => `${usedLines.join('\n')}\n`)).flatMap((section) =>
    // Its own module has a statement for each package.
    section.startsWith('// packages/') ? section.split(/^(?=var \w+ = )/m) : [section],
  )
  return keepReachable(sections, utilsReader, (section) => section.startsWith('var utilsBundle_exports'))
}
