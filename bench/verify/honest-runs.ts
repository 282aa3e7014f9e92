import type { Case } from './claims-session.ts'
export const honestRuns: readonly Case[] = []
