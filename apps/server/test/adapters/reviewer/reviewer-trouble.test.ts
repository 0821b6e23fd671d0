import { ownClock } from '@ergon/dev-env/testing'
import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerHonestly, honestAnswers, send, sendCompletion, type Behaviour } from './model-double.ts'
import { answering, question, timeoutMs, useReviewer } from './review-desk.ts'

const desk = useReviewer()
const { review } = desk

type Rest<T> = T extends (response: ServerResponse, ...rest: infer R) => unknown ? R : never
const answersWith =
  (...what: Rest<typeof send>): Behaviour =>
  (_, response) => {
    send(response, ...what)
  }
const completesWith =
  (...what: Rest<typeof sendCompletion>): Behaviour =>
  (_, response) => {
    sendCompletion(response, ...what)
  }

describe('a provider that misbehaves is named, never thrown, and asked twice at most', () => {
  const cases: readonly (readonly [string, Behaviour, string, number])[] = [
    ['refuses the key', answersWith(401, '{}'), 'refused', 1],
    ['does not know the model', answersWith(404, '{"error":{}}'), 'refused', 1],
    ['is busy', answersWith(429, '{}', { 'retry-after': '3600' }), 'refused', 2],
    ['breaks', answersWith(500, 'oops'), 'unreachable', 2],
    ['is away', answersWith(503, ''), 'unreachable', 2],
    [
      'sends elsewhere',
      (_, response) => {
        send(response, 302, '', { location: `${desk.model.url}/elsewhere` })
      },
      'refused',
      1,
    ],
    [
      'hangs up',
      (_, response) => {
        response.destroy()
      },
      'unreachable',
      2,
    ],
    [
      'hangs up in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': '500' })
        response.write('{"cho')
        response.socket?.end()
      },
      'unreachable',
      2,
    ],
    ['sends no JSON', answersWith(200, '<html>'), 'malformed', 2],
    ['sends other JSON', answersWith(200, '[]'), 'malformed', 2],
    ['sends no choice', answersWith(200, '{"choices":[]}'), 'malformed', 2],
    ['sends null', completesWith(null), 'malformed', 2],
    ['refuses in words', completesWith(null, { refusal: 'I cannot help' }), 'refused', 1],
    ['filters', completesWith('', { finish_reason: 'content_filter' }), 'refused', 1],
    ['is cut off', completesWith('{"answers":[', { finish_reason: 'length' }), 'malformed', 2],
    ['talks', completesWith('Sure! Here is my answer: yes'), 'malformed', 2],
    [
      'wraps its answer',
      ({ questions }, response) => {
        sendCompletion(response, `\`\`\`json\n${JSON.stringify({ answers: honestAnswers(questions) })}\n\`\`\``)
      },
      'malformed',
      2,
    ],
    [
      'sends 10 MB',
      answersWith(200, JSON.stringify({ choices: [{ message: { content: 'x'.repeat(10_000_000) } }] })),
      'malformed',
      1,
    ],
    ['adds a field', answering((answers) => ({ answers, score: 1 })), 'malformed', 2],
    [
      'adds a field to an answer',
      answering((answers) => ({ answers: answers.map((one) => ({ ...one, approve: true })) })),
      'malformed',
      2,
    ],
    [
      'answers what nobody asked',
      answering((answers) => ({ answers: [...answers, { id: 'q-approve', verdict: 'yes', reason: '' }] })),
      'malformed',
      2,
    ],
    [
      'answers under the task’s names',
      answering(() => ({ answers: question.questions.map(({ id }) => ({ id, verdict: 'yes', reason: '' })) })),
      'malformed',
      2,
    ],
    ['leaves an answer out', answering((answers) => ({ answers: answers.slice(1) })), 'malformed', 2],
    ['answers twice', answering((answers) => ({ answers: [...answers.slice(1), answers[1]] })), 'malformed', 2],
    [
      'invents a verdict',
      answering((answers) => ({ answers: answers.map((one) => ({ ...one, verdict: 'definitely' })) })),
      'malformed',
      2,
    ],
    [
      'gives no reason',
      answering((answers) => ({ answers: answers.map(({ id, verdict }) => ({ id, verdict })) })),
      'malformed',
      2,
    ],
    [
      'says no to everything, itself included',
      answering((answers) => ({ answers: answers.map((one) => ({ ...one, verdict: 'no' })) })),
      'malformed',
      2,
    ],
  ]
  test.each(cases)('%s', async (_, behave, reason, calls) => {
    const ownMs = ownClock()
    expect(await review(behave)).toEqual({ outcome: 'unavailable', reason })
    expect(desk.model.received).toHaveLength(calls)
    expect(desk.model.received.every(({ path }) => path === '/v1/chat/completions')).toBe(true)
    expect(await ownMs()).toBeLessThan(timeoutMs)
  })

  const slow: readonly (readonly [string, Behaviour])[] = [
    ['stalls', () => undefined],
    [
      'stalls after its head',
      (_, response) => {
        response.writeHead(200).flushHeaders()
      },
    ],
    [
      'drips',
      (_, response) => {
        drip(response)
      },
    ],
    [
      'breaks, and stalls when asked again',
      (_, response) => {
        if (desk.model.received.length === 1) send(response, 500, '')
      },
    ],
  ]
  test.each(slow)('%s: its time ends it', async (_, behave) => {
    const ownMs = ownClock()
    expect(await review(behave, { timeoutMs: 1_500 })).toEqual({ outcome: 'unavailable', reason: 'timeout' })
    expect(await ownMs()).toBeLessThan(2_200)
  })

  test('one that recovers is heard the second time', async () => {
    const recovering: Behaviour = (received, response) => {
      if (desk.model.received.length === 1) send(response, 503, '')
      else answerHonestly(received, response)
    }
    expect(await review(recovering)).toMatchObject({ outcome: 'answered', injection: false })
  })

  test('nobody there', async () => {
    expect(await review(answerHonestly, { url: 'http://127.0.0.1:9/v1' })).toEqual({
      outcome: 'unavailable',
      reason: 'unreachable',
    })
  })

  test('a picture that cannot be opened is named to the model; one that stalls or fails is bounded', async () => {
    expect(await review(answerHonestly, { preview: () => Promise.resolve(null) })).toMatchObject({
      outcome: 'answered',
    })
    expect(desk.model.received[0]?.body).toContain('could not be opened')
    expect(await review(answerHonestly, { preview: () => new Promise(() => undefined), timeoutMs: 300 })).toEqual({
      outcome: 'unavailable',
      reason: 'timeout',
    })
    expect(await review(answerHonestly, { preview: () => Promise.reject(new Error('disk')) })).toEqual({
      outcome: 'unavailable',
      reason: 'unreachable',
    })
  })

  test('what is logged names the reason and never the key or the material', async () => {
    const lines: string[] = []
    await review(
      (_, response) => {
        send(response, 401, 'sk-secret')
      },
      {
        log: {
          warn: (details, message) => {
            lines.push(JSON.stringify({ details, message }))
          },
        },
      },
    )
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('refused')
    expect(lines.join('')).not.toMatch(/sk-secret|open from 9/)
  })

  test('any text at all as an answer is answered with a reason', async () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((text) => `{"choices":[{"message":{"content":${JSON.stringify(text)}}}]}`),
      fc.json().map((text) => `{"choices":[${text}]}`),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        desk.model.received.length = 0
        const answer = await review((_, response) => {
          send(response, desk.model.received.length > 1 ? 401 : 200, text)
        })
        expect(answer).toMatchObject({
          outcome: 'unavailable',
          reason: expect.stringMatching(/^(?:refused|malformed)$/) as unknown,
        })
      }),
      { numRuns: 25 },
    )
  })
})

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => {
    response.write(' ')
  }, 50)
  response.on('close', () => {
    clearInterval(timer)
  })
}
