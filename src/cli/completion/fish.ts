import type { Flag, Grammar } from './grammar.ts'

export function fishScript({ commands, subCommands, flags }: Grammar): string {
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
      ({ name, about }) => `complete -c footlight -n __fish_use_subcommand -a ${name} -d ${quote(about)}`,
    ),
    ...flags.map((flag) => completionLine(`not __fish_seen_subcommand_from ${names}`, flag)),
    ...[...commands, ...subCommands].flatMap(({ name, words, flags: commandFlags }) => [
      ...(words.length > 0
        ? [`complete -c footlight -n '${conditionOf(name)}' -a ${quote(words.join(' '))}`]
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
          : ` -x -a ${quote(takes.join(' '))}`
  const text = about ? ` -d ${quote(about)}` : ''
  return `complete -c footlight -n '${when}' -l ${flag.slice(2)}${value}${text}`
}

const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
