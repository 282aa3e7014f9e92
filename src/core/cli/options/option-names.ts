// The names of an option: its key in camelCase, its flag, its variable.

export const toKebabCase = (name: string): string =>
  name.replace(/[A-Z]+(?=[A-Z][a-z]|$)|[A-Z]/g, (letters) => `-${letters.toLowerCase()}`)

export const variableNameOf = (name: string): string =>
  `FOOTLIGHT_${toKebabCase(name).replaceAll('-', '_').toUpperCase()}`
