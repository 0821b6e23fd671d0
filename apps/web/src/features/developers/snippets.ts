import { hostConfig, toolHostNames, type HostConfig } from '@ergon/contract'

/**
 * What each tool host is told so that it signs in by the person's wallet: what `ergon mcp install` writes, from the
 * same table.
 */
export const hostsFor = (origin: string): readonly HostConfig[] =>
  toolHostNames.map((host) => hostConfig(host, `${origin}/mcp/`))

/** The one task that the snippets publish; held against the schema of the operation by a test. */
export const exampleTask = {
  title: 'Photograph a shop front',
  instructions: 'Go to the address and take a sharp photo of the whole front in daylight.',
  category: 'physical_presence',
  bounty_usd: 0.1,
  deadline_hours: 24,
  evidence_required: ['photo'],
} as const

export type SnippetName =
  'read' | 'rest' | 'worker' | 'events' | 'connect' | 'mcpHttp' | 'mcpCodex' | 'mcpSigned' | 'a2a' | 'cli' | 'webhooks'

/**
 * Texts to take along, naming the service that this page came from. A test holds every name in them against the
 * contract.
 */
export function snippetsFor(origin: string): Readonly<Record<SnippetName, string>> {
  const mcp = { type: 'http', url: `${origin}/mcp/` }
  return {
    read: [
      `curl '${origin}/api/v1/tasks/available?limit=5'`,
      `curl '${origin}/api/v1/services?sort=price'`,
      `curl '${origin}/api/v1/config'`,
      `curl '${origin}/api/v1/events?scope=public&limit=10'`,
    ].join('\n'),
    rest: `${clientOf(origin)}

const task = await client.tasks.publish(${objectText(exampleTask)})

const { applications } = await client.tasks.applications({ task_id: task.id })
const chosen = applications[0]
if (chosen !== undefined) {
  // Signs the lock of the bounty for this worker; resolves once the chain has it.
  await client.assignWorker({ task_id: task.id, executor_id: chosen.executor_id })
}

await client.waitFor(task.id, ({ status }) => status === 'submitted')
const { submissions } = await client.submissions.list({ task_id: task.id })
const submission = submissions[0]
// Signs the payment: the worker is paid at once.
if (submission !== undefined) await client.approveSubmission({ submission_id: submission.id })`,
    worker: `${clientOf(origin)}

await client.workers.register({ display_name: 'My agent', executor_type: 'agent' })
const { tasks } = await client.tasks.available({ limit: 10 })
const task = tasks[0]
if (task !== undefined) await client.tasks.apply({ task_id: task.id })`,
    events: `${clientOf(origin)}

for await (const event of client.events({ types: ['task.assigned', 'payment.released'] })) {
  console.log(event.type, event.data.task_id, event.cursor)
}`,
    connect: toolHostNames.map((host) => `ergon mcp install ${host} --url ${origin}`).join('\n'),
    mcpHttp: JSON.stringify({ mcpServers: { ergon: mcp } }, null, 2),
    mcpCodex: `[mcp_servers.ergon]\nurl = ${JSON.stringify(mcp.url)}`,
    mcpSigned: [
      `ergon init --url ${origin}`,
      'ergon mcp install claude --bridge',
      'ergon mcp install cursor --bridge',
      'ergon mcp install vscode --bridge',
      'ergon mcp install codex --bridge',
    ].join('\n'),
    a2a: `curl '${origin}/.well-known/agent-card.json'`,
    cli: [
      `ergon init --url ${origin}`,
      'ergon doctor',
      'ergon task list',
      'ergon apply <task>',
      'ergon submit <task> --help',
      'ergon events --follow',
    ].join('\n'),
    webhooks: `import { verifyWebhook, WebhookRefused } from '@ergon/sdk'

export async function receive(request) {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, process.env.ERGON_WEBHOOK_SECRET)
    // Prove that this URL is yours: answer the token.
    if (event.type === 'webhook.challenge') return Response.json({ token: event.data.token })
    // event.id is the same however often it is delivered.
    console.log(event.id, event.type, event.data)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof WebhookRefused) return new Response(null, { status: 401 })
    throw error
  }
}`,
  }
}

const clientOf = (origin: string): string => `import { createClient, privateKeySigner } from '@ergon/sdk'

const client = createClient({
  baseUrl: '${origin}',
  signer: privateKeySigner(process.env.WALLET_KEY),
})`

function objectText(value: Readonly<Record<string, unknown>>): string {
  return `{\n${Object.entries(value)
    .map(([name, one]) => `  ${name}: ${JSON.stringify(one)},`)
    .join('\n')}\n}`
}

/** What the service says about itself, by its path. */
export const documents = {
  openapi: '/openapi.json',
  llms: '/llms.txt',
  llmsFull: '/llms-full.txt',
  skill: '/SKILL.md',
  card: '/.well-known/agent-card.json',
  server: '/server.json',
  catalogue: '/api/v1/webhooks/events',
  policy: '/api/v1/auth/erc8128/info',
} as const
