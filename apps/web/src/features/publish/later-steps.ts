// What comes after the first step, in one piece: whoever writes the first is not made to wait for it.
export { CheckStep } from './check-step.tsx'
export { DryRun } from './dry-run.tsx'
export { MoneyStep } from './money-step.tsx'
export { ProofStep } from './proof-step.tsx'
export { SellNote } from './sell-note.tsx'
