import {
  acceptedContent,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type createRequestStateCodec,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { setTimeout as wait } from 'node:timers/promises'

type Json = Readonly<Record<string, unknown>>
export type StateCodec = ReturnType<typeof createRequestStateCodec<string>>
/** What a fixture is given beside its arguments. */
export type FixtureCall = { readonly ctx: ServerContext; readonly codec: StateCodec; readonly capabilities: Json }
type Answer = CallToolResult | InputRequiredResult
export type Fixture = (args: Json, call: FixtureCall) => Promise<Answer> | Answer

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })
/** One red dot. */
export const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** No samples at all. */
const sound = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const picture = { type: 'image' as const, data: image, mimeType: 'image/png' }
const pauseMs = 50

const ask = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  })
const question = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens })

/** Tools of the conformance suite that answer at once. */
const plain: Readonly<Record<string, Fixture>> = {
  test_simple_text: () => say('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [picture] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: sound, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      picture,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => ({ ...say('This tool intentionally returns an error for testing'), isError: true }),
  test_missing_capability: (_args, { capabilities }) => {
    if (capabilities['sampling'] === undefined)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return say('done')
  },
  json_schema_2020_12_tool: (args) => say(JSON.stringify(args)),
}

/** Tools that say something on the way. */
const talking: Readonly<Record<string, Fixture>> = {
  test_tool_with_logging: async (_args, { ctx }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.log('info', data)
      await wait(pauseMs)
    }
    return say('logged')
  },
  test_logging_tool: async (_args, { ctx }) => {
    await ctx.mcpReq.log('info', 'a line')
    return say('logged')
  },
  test_tool_with_progress: async (_args, { ctx }) => {
    const progressToken = ctx.mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await wait(pauseMs)
    }
    return say('done')
  },
}

/** Tools that ask a client of 2025 over the open stream; what it can was said in a request of its own. */
const asking: Readonly<Record<string, Fixture>> = {
  test_sampling: async ({ prompt }, { ctx }) => {
    const { content } = await ctx.mcpReq.send({
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: String(prompt) } }], maxTokens: 100 },
    })
    return say(`LLM response: ${'text' in content ? String(content.text) : JSON.stringify(content)}`)
  },
  test_elicitation: async ({ message }, { ctx }) => {
    const field = (description: string) => ({ type: 'string' as const, description })
    const answer = await ctx.mcpReq.send({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: String(message),
        requestedSchema: {
          type: 'object',
          properties: { username: field("User's response"), email: field("User's email address") },
          required: ['username', 'email'],
        },
      },
    })
    return say(`User response: ${JSON.stringify(answer)}`)
  },
  test_elicitation_sep1034_defaults: async (_args, { ctx }) => {
    const answer = await ctx.mcpReq.send({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'Please check these values',
        requestedSchema: {
          type: 'object',
          properties: {
            name: { type: 'string', default: 'John Doe' },
            age: { type: 'integer', default: 30 },
            score: { type: 'number', default: 95.5 },
            status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
            verified: { type: 'boolean', default: true },
          },
          required: [],
        },
      },
    })
    return say(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)
  },
  test_elicitation_sep1330_enums: async (_args, { ctx }) => {
    const answer = await ctx.mcpReq.send({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'Please choose',
        requestedSchema: {
          type: 'object',
          properties: {
            untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
            titledSingle: {
              type: 'string',
              oneOf: [
                { const: 'value1', title: 'First Option' },
                { const: 'value2', title: 'Second Option' },
                { const: 'value3', title: 'Third Option' },
              ],
            },
            legacyEnum: {
              type: 'string',
              enum: ['opt1', 'opt2', 'opt3'],
              enumNames: ['Option One', 'Option Two', 'Option Three'],
            },
            untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
            titledMulti: {
              type: 'array',
              items: {
                anyOf: [
                  { const: 'value1', title: 'First Choice' },
                  { const: 'value2', title: 'Second Choice' },
                  { const: 'value3', title: 'Third Choice' },
                ],
              },
            },
          },
          required: [],
        },
      },
    })
    return say(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)
  },
}

const stringOf = (call: FixtureCall, key: string, field: string): string | undefined => {
  const given = acceptedContent(call.ctx.mcpReq.inputResponses, key)?.[field]
  return typeof given === 'string' ? given : undefined
}

/** Tools that answer by asking, as 2026-07-28 has it. */
const rounds: Readonly<Record<string, Fixture>> = {
  test_input_required_result_elicitation: (_args, call) => {
    const name = stringOf(call, 'user_name', 'name')
    return name === undefined
      ? inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } })
      : say(`Hello, ${name}!`)
  },
  test_streaming_elicitation: async (_args, { ctx }) => {
    const progressToken = ctx.mcpReq._meta?.progressToken ?? 'stream'
    await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } })
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } })
  },
  test_input_required_result_sampling: (_args, { ctx }) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'capital_question')
    return answer.kind === 'missing'
      ? inputRequired({ inputRequests: { capital_question: question('What is the capital of France?', 100) } })
      : say(JSON.stringify(answer))
  },
  test_input_required_result_list_roots: (_args, { ctx }) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'client_roots')
    return answer.kind === 'missing'
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : say(JSON.stringify(answer))
  },
  test_input_required_result_request_state: confirmed('state-ok'),
  test_input_required_result_tampered_state: confirmed('untampered'),
  test_input_required_result_multiple_inputs: async (_args, { ctx, codec }) => {
    const inputRequests = {
      user_name: ask('What is your name?', 'name'),
      greeting: question('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    }
    const missing = Object.keys(inputRequests).some(
      (key) => inputResponse(ctx.mcpReq.inputResponses, key).kind === 'missing',
    )
    return missing
      ? inputRequired({ inputRequests, requestState: await codec.mint('many') })
      : say(JSON.stringify(ctx.mcpReq.inputResponses))
  },
  test_input_required_result_multi_round: async (_args, call) => {
    const { ctx, codec } = call
    if (ctx.mcpReq.requestState<string>() === undefined)
      return inputRequired({
        inputRequests: { step1: ask('Step 1: What is your name?', 'name') },
        requestState: await codec.mint('round 1'),
      })
    const color = stringOf(call, 'step2', 'color')
    return color === undefined
      ? inputRequired({
          inputRequests: { step2: ask('Step 2: What is your favorite color?', 'color') },
          requestState: await codec.mint('round 2'),
        })
      : say(`You like ${color}.`)
  },
  test_input_required_result_capabilities: (_args, { ctx, capabilities }) => {
    if (ctx.mcpReq.inputResponses !== undefined) return say('done')
    const inputRequests: InputRequests = {
      ...(capabilities['sampling'] === undefined ? {} : { sample: question('Say something', 50) }),
      ...(capabilities['elicitation'] === undefined ? {} : { name: ask('What is your name?', 'name') }),
    }
    if (Object.keys(inputRequests).length === 0)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The client can be asked nothing.')
    return inputRequired({ inputRequests })
  },
}

function confirmed(word: string): Fixture {
  return async (_args, { ctx, codec }) =>
    ctx.mcpReq.requestState<string>() === undefined
      ? inputRequired({
          inputRequests: {
            confirm: inputRequired.elicit({
              message: 'Please confirm',
              requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
            }),
          },
          requestState: await codec.mint(word),
        })
      : say(word)
}

export const fixtureTools: Readonly<Record<string, Fixture>> = { ...plain, ...talking, ...asking, ...rounds }
