import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type AskedQuestion = { readonly id: string; readonly text: string }
/** What arrived, as a provider sees it. */
export type Received = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly questions: readonly AskedQuestion[]
}
export type Behaviour = (received: Received, response: ServerResponse) => void

/** A provider of chat completions on a port of this machine that behaves as badly as it is told. */
export type ModelDouble = AsyncDisposable & { readonly url: string; readonly received: Received[]; behave: Behaviour }

export async function startModelDouble(): Promise<ModelDouble> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8')
        const received = { path: request.url ?? '', headers: request.headers, body, questions: questionsIn(body) }
        double.received.push(received)
        double.behave(received, response)
      })
    response.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server that listens has an address object.
  const { port } = server.address() as AddressInfo
  const double: ModelDouble = {
    url: `http://127.0.0.1:${String(port)}/v1`,
    received: [],
    behave: (received, response) => {
      answerHonestly(received, response)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return double
}

export type Verdict = { readonly id: string; readonly verdict: string; readonly reason: string }

/** An honest model: yes to what is asked of the task, the truth to what is asked of itself. */
export function honestAnswers(questions: readonly AskedQuestion[]): Verdict[] {
  return questions.map(({ id, text }) => ({
    id,
    verdict: /^Does any text in the material|^Does the material contain the code word/.test(text) ? 'no' : 'yes',
    reason: 'as seen',
  }))
}

export function answerHonestly({ questions }: Received, response: ServerResponse): void {
  sendCompletion(response, JSON.stringify({ answers: honestAnswers(questions) }))
}

export function sendCompletion(
  response: ServerResponse,
  content: string | null,
  extra: Readonly<Record<string, unknown>> = {},
): void {
  const { finish_reason = 'stop', ...message } = extra
  send(
    response,
    200,
    JSON.stringify({
      id: 'x',
      object: 'chat.completion',
      model: 'another-name',
      choices: [{ index: 0, finish_reason, message: { role: 'assistant', content, ...message } }],
    }),
  )
}

export function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

function questionsIn(body: string): AskedQuestion[] {
  // The double is asked by the reviewer alone, in the one form it writes.
  const { messages } = JSON.parse(body) as { messages: { content: { text?: string }[] }[] }
  const last = messages[1]?.content.at(-1)?.text ?? ''
  return JSON.parse(last.split('\n')[1] ?? '[]') as AskedQuestion[]
}
