import { Counter } from './counter.jsx'

export default { title: 'Counter', component: Counter }
export const Primary = {}
