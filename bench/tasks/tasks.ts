import type { Task } from './task.ts'
import { board } from './tasks/board.ts'
import { checkout } from './tasks/checkout.ts'
import { datePicker } from './tasks/date-picker.ts'
import { diagnosis } from './tasks/diagnosis.ts'
import { files } from './tasks/files.ts'
import { formPages } from './tasks/form-pages.ts'
import { logIn } from './tasks/log-in.ts'
import { mail } from './tasks/mail.ts'
import { table } from './tasks/table.ts'
import { todos } from './tasks/todos.ts'

export const tasks: readonly Task[] = [
  logIn,
  formPages,
  table,
  todos,
  mail,
  datePicker,
  board,
  files,
  diagnosis,
  checkout,
]
