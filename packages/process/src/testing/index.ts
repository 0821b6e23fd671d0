export { sendParts } from './send-parts.ts'
export { sendWhole } from './send-whole.ts'
