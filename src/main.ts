import process from 'node:process'
import { runMain } from './cli/main.ts'

void runMain(process.argv.slice(2))
