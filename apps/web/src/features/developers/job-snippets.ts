/** The one task that the snippets publish; held against the schema of the operation by a test. */
export const exampleTask = {
  title: 'Photograph a shop front',
  instructions: 'Go to the address and take a sharp photo of the whole front in daylight.',
  category: 'physical_presence',
  bounty_usd: 0.1,
  deadline_hours: 24,
  evidence_required: ['photo'],
} as const

/** One side: publish, choose, lock, read and pay. */
export const publisherSnippet = (origin: string): string => `import { setTimeout as pause } from 'node:timers/promises'
${clientOf(origin)}

const task = await client.tasks.publish(${objectText(exampleTask)})

let chosen
while (chosen === undefined) {
  await pause(2_000)
  const { applications } = await client.tasks.applications({ task_id: task.id })
  chosen = applications[0]
}
// Signs the lock of the bounty for this worker; resolves once the chain has it.
await client.assignWorker({ task_id: task.id, executor_id: chosen.executor_id })

await client.waitFor(task.id, ({ status }) => status === 'submitted' || status === 'verifying')
const { submissions } = await client.submissions.list({ task_id: task.id })
// Signs the payment: the worker is paid at once.
const paid = await client.approveSubmission({ submission_id: submissions[0].id })
console.log('the worker got', paid.worker_net_usdc)`

/** The other side: register, find, apply, do it and hand in. */
export const workerSnippet = (origin: string): string => `import { readFile } from 'node:fs/promises'
${clientOf(origin)}

await client.workers.register({ name: 'My agent', executor_type: 'agent' })
const { tasks } = await client.tasks.available({ limit: 10 })
const task = tasks[0]
if (task === undefined) throw new Error('nothing is open now')
const { executor_id } = await client.tasks.apply({ task_id: task.id, message: 'I am near.' })

// Begin when the bounty is locked for you.
await client.waitFor(task.id, (now) => now.executor_id === executor_id && now.status === 'accepted')
const photo = await client.uploadEvidence({
  task_id: task.id,
  evidence_type: 'photo',
  filename: 'photo.png',
  bytes: await readFile('photo.png'),
})
await client.tasks.submit({ task_id: task.id, evidence: { photo: photo.public_url } })
const { status } = await client.waitFor(task.id, (now) => ['completed', 'disputed'].includes(now.status))
console.log('the task is', status)`

/** A client for the service of the page, with a wallet of the reader. */
export const clientOf = (origin: string): string => `import { createClient, privateKeySigner } from '@ergon/sdk'

const client = createClient({
  baseUrl: '${origin}',
  signer: privateKeySigner(process.env.WALLET_KEY),
})`

function objectText(value: Readonly<Record<string, unknown>>): string {
  return `{\n${Object.entries(value)
    .map(([name, one]) => `  ${name}: ${JSON.stringify(one)},`)
    .join('\n')}\n}`
}
