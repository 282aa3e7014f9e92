import type { Flag, Grammar } from './grammar.ts'

export function fishScript({ commands, flags }: Grammar): string {
  const names = commands.map(({ name }) => name).join(' ')
  const lines = [
    '# footlight completion for fish: footlight completion fish | source',
    'complete -c footlight -f',
    ...commands.map(
      ({ name, about }) => `complete -c footlight -n __fish_use_subcommand -a ${name} -d ${quote(about)}`,
    ),
    ...flags.map((flag) => completionLine(`not __fish_seen_subcommand_from ${names}`, flag)),
    ...commands.flatMap(({ name, words, flags: commandFlags }) => [
      ...(words.length > 0
        ? [`complete -c footlight -n '__fish_seen_subcommand_from ${name}' -a ${quote(words.join(' '))}`]
        : []),
      ...commandFlags.map((flag) => completionLine(`__fish_seen_subcommand_from ${name}`, flag)),
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
