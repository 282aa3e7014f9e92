import { nanoid } from 'nanoid'

const people = [
  ['Ada Lovelace', 'Analytical Engines', '020 7946 0101'],
  ['Alan Turing', 'Bletchley Ltd', '020 7946 0102'],
  ['Barbara Liskov', 'Substitution Inc', '617 555 0103'],
  ['Donald Knuth', 'Typesetters', '650 555 0104'],
  ['Margaret Hamilton', 'Apollo Software', '617 555 0105'],
  ['Katherine Johnson', 'Orbital Maths', '757 555 0106'],
]

/** The contacts in an order that is new at every load, as a store without an index gives them. */
export const loadPeople = () =>
  people
    .map(([name, company, phone]) => ({
      id: nanoid(),
      name,
      company,
      phone,
      isFavourite: false,
      isArchived: false,
    }))
    .map((person) => [Math.random(), person])
    .toSorted(([a], [b]) => a - b)
    .map(([, person]) => person)

export const sortPeople = (list, key) =>
  key === '' ? list : list.toSorted((a, b) => a[key].localeCompare(b[key]))

export const matches = (person, query) =>
  `${person.name} ${person.company}`.toLowerCase().includes(query.toLowerCase())

export const normalizePhone = (phone) => phone.replace(/[^\d ]/g, '').trim()
