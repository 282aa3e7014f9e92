// The names that are known to have a value where code is evaluated: to read them throws nothing.

import type { AnyNode } from 'acorn'

/** By name, in a block and in those around it. */
export interface Names {
  readonly own: Map<string, boolean>
  readonly outer?: Names
}

export const startNames = (): Names => ({
  own: new Map(['undefined', 'NaN', 'Infinity'].map((name) => [name, true])),
})

export const namesWithin = (outer: Names): Names => ({ own: new Map(), outer })

export function isKnown(name: string, names: Names): boolean {
  for (let at: Names | undefined = names; at; at = at.outer) {
    const known = at.own.get(name)
    if (known !== undefined) return known
  }
  return false
}

export function addNames(pattern: AnyNode | null | undefined, names: Names): void {
  for (const name of namesOf(pattern)) names.own.set(name, true)
}

/** What a block declares has no value before its declaration. */
export function dropNames(node: AnyNode, names: Names): void {
  const isLate = node.type === 'VariableDeclaration' && node.kind !== 'var'
  const declared = isLate ? node.declarations.flatMap(({ id }) => namesOf(id)) : []
  for (const name of node.type === 'ClassDeclaration' ? namesOf(node.id) : declared)
    names.own.set(name, false)
}

// --- internal ---

function namesOf(pattern: AnyNode | null | undefined): readonly string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name]
    case 'AssignmentPattern':
      return namesOf(pattern.left)
    case 'RestElement':
      return namesOf(pattern.argument)
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesOf)
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        namesOf(property.type === 'Property' ? property.value : property),
      )
    default:
      return []
  }
}
