import { shells, type Shell, commandNames, commandOf, type Command } from './commands.ts'
import type { FieldRow } from '../shell/field-table.ts'
import { optionsOfVerb } from '../shell/verb-help.ts'
import { findVerb, shownVerbs } from '../shell/verbs.ts'
import { findClosestName } from '../../core/text/closest-name.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { ArgDef } from 'citty'
import { toKebabCase, optionNames, optionOf, type OptionName } from '../options/options.ts'

const scripts: Record<Shell, typeof bashScript> = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** The completion script for the shell that `words` name. Errors are sentences. */
export function completionScript(words: readonly string[]): Result<string, string> {
  const [input, stray] = words
  const shell = shells.find((name) => name === input)
  if (shell && stray === undefined) return ok(scripts[shell](createGrammar()))
  if (shell) return err(`completion: unexpected argument "${stray}"`)
  const expected = `Expected one of ${shells.join(', ')}, e.g. source <(footlight completion bash)`
  if (input === undefined) return err(`completion: missing shell name. ${expected}`)
  const closest = findClosestName(input, shells)
  return err(`completion: unknown shell "${input}". ${closest ? `Did you mean ${closest}?` : expected}`)
}

// --- internal ---

/** For bash 3.2 and later. */
function bashScript({ commands, subCommands, flags }: Grammar): string {
  const all = [...flags, ...[...subCommands, ...commands].flatMap((verb) => verb.flags)]
  const wordsOf = (verb: CommandGrammar) => [...verb.words, words(verb.flags)].join(' ')
  const words = (list: readonly Flag[]) => list.map(({ flag }) => flag).join(' ')
  const values = unique(all.filter(({ takes }) => Array.isArray(takes)))
  const flagsTaking = (takes: string) => unique(all.filter((flag) => flag.takes === takes))
  return `# footlight completion for bash: source <(footlight completion bash)
_footlight() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} verb=\${COMP_WORDS[1]} words IFS=$' \\n'
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $prev in
${values.map(({ flag, takes }) => `    ${flag}) COMPREPLY=($(compgen -W '${(takes as string[]).join(' ')}' -- "$cur")); return ;;`).join('\n')}
    ${flagsTaking('path')
      .map(({ flag }) => flag)
      .join('|')}) IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${flagsTaking('anything')
      .map(({ flag }) => flag)
      .join('|')}) return ;;
  esac
  words='${commands.map(({ name }) => name).join(' ')} ${words(flags)}'
  if ((COMP_CWORD > 1)); then
    [[ $COMP_CWORD -gt 2 ]] && verb+=" \${COMP_WORDS[2]}"
    case $verb in
${subCommands.map((verb) => `      '${verb.name}') words='${wordsOf(verb)}' ;;`).join('\n')}
${commands.map((verb) => `      ${verb.name}|${verb.name}\\ *) words='${wordsOf(verb)}' ;;`).join('\n')}
      *) words='${words(flags)}' ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o filenames -o bashdefault -F _footlight footlight
`
}

const unique = (list: readonly Flag[]): Flag[] => [...new Map(list.map((flag) => [flag.flag, flag])).values()]

function fishScript({ commands, subCommands, flags }: Grammar): string {
  const subNamesOf = (name: string) =>
    subCommands.filter((sub) => sub.name.startsWith(`${name} `)).map((sub) => sub.name.slice(name.length + 1))
  const conditionOf = (name: string) => {
    const subNames = subNamesOf(name).join(' ')
    const conditions = name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
    return [...conditions, ...(subNames ? [`not __fish_seen_subcommand_from ${subNames}`] : [])].join(
      '; and ',
    )
  }
  const names = commands.map(({ name }) => name).join(' ')
  const lines = [
    '# footlight completion for fish: footlight completion fish | source',
    'complete -c footlight -f',
    ...commands.map(
      ({ name, about }) =>
        `complete -c footlight -n __fish_use_subcommand -a ${name} -d ${quoteForFish(about)}`,
    ),
    ...flags.map((flag) => completionLine(`not __fish_seen_subcommand_from ${names}`, flag)),
    ...[...commands, ...subCommands].flatMap(({ name, words, flags: commandFlags }) => [
      ...(words.length > 0
        ? [`complete -c footlight -n '${conditionOf(name)}' -a ${quoteForFish(words.join(' '))}`]
        : []),
      ...commandFlags.map((flag) => completionLine(conditionOf(name), flag)),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function completionLine(when: string, { flag, about, takes }: Flag): string {
  const value =
    takes === 'nothing'
      ? ''
      : takes === 'path'
        ? ' -r -F'
        : takes === 'anything'
          ? ' -x'
          : ` -x -a ${quoteForFish(takes.join(' '))}`
  const text = about ? ` -d ${quoteForFish(about)}` : ''
  return `complete -c footlight -n '${when}' -l ${flag.slice(2)}${value}${text}`
}

const quoteForFish = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

// The command line as a completion script needs it, from the tables of commands and options.
/** What a flag takes: nothing, one of a few words, a path, or something that only the user knows. */
type FlagValue = 'nothing' | 'path' | 'anything' | readonly string[]

interface Flag {
  readonly flag: string
  readonly about: string
  readonly takes: FlagValue
}

interface CommandGrammar {
  /** One word, or two for a subcommand. */
  readonly name: string
  readonly about: string
  readonly words: readonly string[]
  readonly flags: readonly Flag[]
}

interface Grammar {
  readonly commands: readonly CommandGrammar[]
  readonly subCommands: readonly CommandGrammar[]
  /** Without a command. */
  readonly flags: readonly Flag[]
}

function createGrammar(): Grammar {
  const commands = commandNames.map(commandOf)
  const version: Flag = { flag: '--version', about: 'print the version', takes: 'nothing' }
  return {
    commands: [...commands.map(grammarOf), ...shownVerbs.map(grammarOfVerb)],
    subCommands: commands.flatMap(({ subCommands = {} }) => Object.values(subCommands).map(grammarOf)),
    flags: [...optionNames.map(optionFlag), help, version],
  }
}

const help: Flag = { flag: '--help', about: 'explain the command, with examples', takes: 'nothing' }

const grammarOf = ({ meta, args, options, words = [] }: Command): CommandGrammar => ({
  name: meta.name,
  about: meta.description,
  words,
  flags: [...Object.entries(args).flatMap(ownFlag), ...options.map(optionFlag), help],
})

function grammarOfVerb(name: string): CommandGrammar {
  const verb = findVerb(name)
  const [about = ''] = (verb?.about ?? '').split(/(?<=\.) /)
  return { name, about, words: [], flags: [...(verb ? optionsOfVerb(verb).map(flagOfRow) : []), help] }
}

const flagOfRow = ({ name, type, about }: FieldRow): Flag => ({
  flag: name,
  about,
  takes:
    type === ''
      ? 'nothing'
      : type.includes('|')
        ? type.split('|')
        : valueKindOf(/path|cwd/i.test(name) ? 'PATH' : ''),
})

const ownFlag = ([name, arg]: readonly [string, ArgDef]): Flag[] =>
  arg.type === 'positional'
    ? []
    : [{ flag: `--${name}`, about: arg.description ?? '', takes: valueKindOfArg(arg) }]

function valueKindOfArg(arg: ArgDef): FlagValue {
  if (arg.type === 'boolean') return 'nothing'
  if (arg.type === 'enum') return arg.options ?? []
  return valueKindOf(arg.valueHint)
}

const optionFlag = (name: OptionName): Flag => {
  const { about, value, suggestions } = optionOf(name)
  const takes =
    value === undefined || value.startsWith('[')
      ? 'nothing'
      : (choicesOf(name) ?? suggestions ?? valueKindOf(value))
  return { flag: `--${toKebabCase(name)}`, about, takes }
}

const valueKindOf = (hint = ''): FlagValue => (['PATH', 'FILE', 'DIR'].includes(hint) ? 'path' : 'anything')

/** The words that an option may be, where its schema lists them. */
export function choicesOf(name: OptionName): readonly string[] | undefined {
  const { schema } = optionOf(name)
  const { wrapped = schema } = schema as { wrapped?: { options?: unknown } }
  const { options } = wrapped as { options?: unknown }
  return Array.isArray(options) && options.every((one) => typeof one === 'string') ? options : undefined
}

/** For zsh with its completion system on (compinit). */
function zshScript({ commands, subCommands, flags }: Grammar): string {
  const specs = (list: readonly Flag[]) =>
    list.map((flag) => `    ${quoteForZsh(flagSpec(flag))}`).join(' \\\n')
  const cases = [...commands, ...subCommands].map(
    ({ name, words, flags: commandFlags }) =>
      `    ${quoteForZsh(name)}) _arguments -S \\\n${specs(commandFlags)} \\\n    ${quoteForZsh(words.length > 0 ? `*: :(${words.join(' ')})` : '*: : ')} ;;`,
  )
  return `#compdef footlight
# footlight completion for zsh: source <(footlight completion zsh), after compinit
_footlight() {
  local -a verbs
  verbs=(
${commands.map(({ name, about }) => `    ${quoteForZsh(`${name}:${about.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe -t commands command verbs
    return
  fi
  local verb=$words[2]
  if ((\${verbs[(I)$verb:*]})); then
    words=($words[1] \${words[3,-1]})
    ((CURRENT -= 1))
    case "$verb $words[2]" in
      ${subCommands.map(({ name }) => quoteForZsh(name)).join('|')})
        if ((CURRENT > 2)); then
          verb="$verb $words[2]"
          words=($words[1] \${words[3,-1]})
          ((CURRENT -= 1))
        fi ;;
    esac
  fi
  case $verb in
${cases.join('\n')}
    *) _arguments -S \\
${specs(flags)} ;;
  esac
}
if [[ $funcstack[1] == _footlight ]]; then _footlight "$@"; else compdef _footlight footlight; fi
`
}

function flagSpec({ flag, about, takes }: Flag): string {
  const text = about ? `[${about.replace(/[[\]\\]/g, '\\$&')}]` : ''
  if (takes === 'nothing') return `${flag}${text}`
  const value = takes === 'path' ? '_files' : takes === 'anything' ? ' ' : `(${takes.join(' ')})`
  return `${flag}=${text}: :${value}`
}

const quoteForZsh = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
