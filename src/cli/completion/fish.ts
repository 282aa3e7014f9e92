import type { Flag, Grammar } from './grammar.ts'

export function fish({ verbs, flags }: Grammar): string {
  const names = verbs.map(({ name }) => name).join(' ')
  const lines = [
    '# footlight completion for fish: footlight completion fish | source',
    'complete -c footlight -f',
    ...verbs.map(
      ({ name, about }) => `complete -c footlight -n __fish_use_subcommand -a ${name} -d ${single(about)}`,
    ),
    ...flags.map((flag) => line(`not __fish_seen_subcommand_from ${names}`, flag)),
    ...verbs.flatMap(({ name, words, flags: own }) => [
      ...(words.length > 0
        ? [`complete -c footlight -n '__fish_seen_subcommand_from ${name}' -a ${single(words.join(' '))}`]
        : []),
      ...own.map((flag) => line(`__fish_seen_subcommand_from ${name}`, flag)),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function line(when: string, { flag, about, takes }: Flag): string {
  const value =
    takes === 'nothing'
      ? ''
      : takes === 'path'
        ? ' -r -F'
        : takes === 'anything'
          ? ' -x'
          : ` -x -a ${single(takes.join(' '))}`
  const text = about ? ` -d ${single(about)}` : ''
  return `complete -c footlight -n '${when}' -l ${flag.slice(2)}${value}${text}`
}

const single = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
