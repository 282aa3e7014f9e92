// What a file of a project can be for a page, by its name.

/** Code and templates, which a server or a build may read. */
export const isSource = (path: string): boolean => SOURCE_PATTERN.test(path) && !isNeverShown(path)

/** Tests, and what only editors, linters, package managers and services of developers read: no page shows it that does not load it. */
export const isNeverShown = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return NEVER_SHOWN_NAME.test(name) || NEVER_SHOWN_FOLDER.test(path)
}

/** Code that a server of modules sends file by file; a configuration is for the server itself. */
export const isModule = (path: string): boolean => MODULE_PATTERN.test(path) && !/\.config\.\w+$/.test(path)

/** What people read about the project. */
export const isDocumentation = (path: string): boolean => DOCUMENTATION_PATTERN.test(path)

/** What programs write: databases, logs, locks, what users upload. */
export const isWrittenByPrograms = (path: string): boolean => WRITTEN_PATTERN.test(path)

/** What a browser cannot read as it is: something has to build it. */
export const needsBuild = (path: string): boolean => BUILT_PATTERN.test(path)

// --- internal ---

const SOURCE_PATTERN =
  /\.([cm]?[jt]sx?|vue|svelte|astro|mdx|css|scss|sass|less|styl|html?|py|rb|php|go|rs|exs?|heex|l?eex|java|kt|cs|cshtml|razor|ejs|hbs|handlebars|mustache|pug|njk|liquid|haml|slim|erb|jinja2?|twig|tmpl|gohtml|graphql|gql)$/i
const MODULE_PATTERN = /\.([cm]?[jt]sx?|vue|svelte)$/i
const DOCUMENTATION_PATTERN = /(^|\/)(README|CHANGELOG|HISTORY|TODO)[^/]*$/i
const BUILT_PATTERN = /\.([cm]?tsx?|jsx|vue|svelte|astro|mdx|scss|sass|less|styl|pug|coffee|elm)$/i
const WRITTEN_PATTERN =
  /\.(sqlite3?|db3?|log|pid|lock|sock|tmp|wal|shm|rdb|aof|jsonl|ndjson)(-(wal|shm|journal))?$|(^|\/)(uploads?|sessions?|cache|logs?|tmp|temp|storage)\//i
const NEVER_SHOWN_NAME = new RegExp(
  [
    String.raw`\.(test|spec|cy|e2e)\.[cm]?[jt]sx?$`,
    String.raw`\.d\.[cm]?ts$`,
    String.raw`\.(snap|orig|rej|bak|sw[a-z]|pyc|tsbuildinfo|log|pid|map)$`,
    '~$',
    '^#.*#$',
    String.raw`^\.#`,
    '^4913$',
    String.raw`^\.(gitignore|gitattributes|gitkeep|mailmap|editorconfig|DS_Store|dockerignore|npmignore|nvmrc|node-version|python-version)$`,
    String.raw`^\.?(eslint|prettier|stylelint|biome|oxlint|commitlint|lint-?staged|renovate|dependabot|mocharc|nycrc|lefthook|rustfmt|flake8|rubocop)(rc|ignore)?(\.config)?(\.[a-z]+)?$`,
    String.raw`^(playwright|vitest|jest|cypress|karma|wdio|ava|eslint|prettier|commitlint)(\.[\w-]+)?\.(config|setup|workspace)\.[a-z]+$`,
    String.raw`^(LICENSE|LICENCE|COPYING|NOTICE|CODEOWNERS|AUTHORS|Dockerfile|Makefile|Justfile)(\.[a-z]+)?$`,
    String.raw`^(AGENTS|CLAUDE|GEMINI|CONTRIBUTING|SECURITY|CODE_OF_CONDUCT)\.md$`,
    String.raw`^(docker-)?compose(\.[\w-]+)?\.ya?ml$`,
  ].join('|'),
  'i',
)
const NEVER_SHOWN_FOLDER =
  /(^|\/)(\.github|\.gitlab|\.circleci|\.vscode|\.idea|\.husky|\.devcontainer|\.claude|\.cursor|__tests__|__snapshots__|test-results|playwright-report)\//
