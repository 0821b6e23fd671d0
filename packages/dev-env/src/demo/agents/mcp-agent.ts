import { randomUUID } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Signer, TypedData } from '@ergon/protocols'
import { until } from '../until.ts'
import { objectOf, sealedEnvelope, type Act, type Agent, type Fields, type Rating, type ToSign } from './agent.ts'
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
type Action = {
  readonly typed_data: TypedData
  readonly how_to_return: { readonly parameter: string; readonly value: Fields }
  readonly also?: Action
}

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
      const asked = readAction(body)
      check(asked)
      const signed = await Promise.all(
        asked.map(
          async ({ typedData, field, sealed }) => [field, sealed(await signer.signTypedData(typedData))] as const,
        ),
      )
      return call(toolNames[act], { ...fields, ...Object.fromEntries(signed) })
    },
    rate: (rating) => rate(call, rating),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** A refused call says what to sign and which arguments take it; mode fase1 asks for two. */
function readAction(body: Fields): readonly ToSign[] {
  const first = body['wallet_action'] as Action | undefined // what a tool answers where a wallet has to sign
  if (first === undefined) throw new Error(`the call was refused: ${JSON.stringify(body)}`)
  return [first, ...(first.also === undefined ? [] : [first.also])].map(
    ({ typed_data: typedData, how_to_return: { parameter: field, value } }) => ({
      typedData,
      field,
      sealed:
        field === 'lifecycle_order'
          ? (signature) => ({ ...value, signature })
          : sealedEnvelope(value as { readonly payload: Fields }), // an envelope, by its argument
    }),
  )
}

/** The author on chain is the facilitator's wallet. A repeat with its key answers how the rating stands. */
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
