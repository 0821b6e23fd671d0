import { randomUUID } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Signer } from '@ergon/protocols'
import { until } from '../until.ts'
import { objectOf, signAsked, type Act, type Agent, type Fields, type Rating } from './agent.ts'
import { signingFetch } from './signing-fetch.ts'

const toolNames: Readonly<Record<Act, string>> = {
  publish: 'svc_publish_task',
  register: 'svc_register_as_executor',
  apply: 'svc_accept_agent_task',
  assign: 'svc_assign_task',
  uploadLink: 'svc_get_upload_link',
  submit: 'svc_submit_work',
  approve: 'svc_approve_submission',
  readTask: 'svc_get_task',
  readPayment: 'svc_get_payment',
}
const ratingTools: Readonly<Record<Rating['direction'], string>> = {
  publisher_rates_executor: 'svc_rate_worker',
  executor_rates_publisher: 'svc_rate_agent',
}
/** Arguments that a tool calls otherwise than the operation does. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  svc_register_as_executor: { name: 'display_name' },
}

type Answer = { readonly refused: boolean; readonly body: Fields }

/** A party that calls tools, through the client that agents embed. */
export async function openMcpAgent(serverUrl: string, chainId: number, signer: Signer): Promise<Agent> {
  const client = new Client({ name: 'the demo', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', serverUrl), {
    fetch: signingFetch(signer, chainId),
  })
  await client.connect(transport)
  const ask = async (tool: string, fields: Fields): Promise<Answer> => {
    const names = renamed[tool] ?? {}
    const given = Object.fromEntries(Object.entries(fields).map(([field, value]) => [names[field] ?? field, value]))
    const { isError, structuredContent } = await client.callTool({ name: tool, arguments: given })
    return { refused: isError === true, body: objectOf(structuredContent) }
  }
  const call = async (tool: string, fields: Fields): Promise<Fields> => {
    const { refused, body } = await ask(tool, fields)
    if (refused) throw new Error(`${tool} refuses: ${JSON.stringify(body)}`)
    return body
  }
  return {
    nameOf: (act) => toolNames[act],
    nameOfRating: (direction) => ratingTools[direction],
    call: (act, fields) => call(toolNames[act], fields),
    async callSigned(act, fields, check) {
      const { refused, body } = await ask(toolNames[act], fields)
      if (!refused) return body
      return signAsked(body, signer, check, async (given) => {
        const again = await ask(toolNames[act], given)
        if (again.refused && again.body['wallet_action'] === undefined)
          throw new Error(`${toolNames[act]} refuses: ${JSON.stringify(again.body)}`)
        return again.body
      })
    },
    rate: (rating) => rate(call, rating),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The author on chain is the facilitator's wallet. A repeat with its key answers the state of the rating. */
async function rate(
  call: (tool: string, fields: Fields) => Promise<Fields>,
  { task_id, direction, score }: Rating,
): Promise<string | null> {
  const fields = { task_id, score, comment: 'A pleasure.', idempotency_key: randomUUID() }
  const { transaction_hash: hash } = await until(
    'the rating',
    () => call(ratingTools[direction], fields),
    (answer) => typeof answer['transaction_hash'] === 'string',
  )
  return typeof hash === 'string' ? hash : null
}
