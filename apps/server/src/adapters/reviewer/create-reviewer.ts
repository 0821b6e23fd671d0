import { randomBytes } from 'node:crypto'
import type { ReviewAnswer, Reviewer, ReviewEvidence, ReviewQuestion, StoredFile } from '@ergon/core'
import { createHttpClient, type HttpClient } from '../http/http-client.ts'
import { speaksToReviewer } from './injected-instructions.ts'
import { createQuestionSheet } from './question-sheet.ts'
import { exchange, type Exchanged, type ReviewFailure } from './review-exchange.ts'
import { maxTextShown, reviewPrompt, type ShownPart } from './review-prompt.ts'

export type ReviewerSettings = {
  /** Base of an OpenAI-compatible service: `/chat/completions` is below it. */
  readonly url: string
  readonly model: string
  readonly key: string | undefined
  /** For everything: the pictures, the call and a second call. */
  readonly timeoutMs: number
  /** Before a second call; half a second without it. */
  readonly pauseMs?: number
  /** A small picture without metadata; null when there is none to show. */
  readonly preview: (file: StoredFile) => Promise<Uint8Array | null>
  readonly log?: { warn(details: Readonly<Record<string, unknown>>, message: string): void }
}

const maxImages = 4
const maxQuestions = 20
const defaultPauseMs = 500
/** With less left a second call is not begun. */
const worthTryingMs = 1_000

/** Asks a model. It gets no tools, decides nothing, and whatever it does this ends in time and does not throw. */
export function createReviewer(settings: ReviewerSettings): Reviewer & Disposable {
  const http = createHttpClient(settings.url)
  return {
    async review(question) {
      const controller = new AbortController()
      const late = new Promise<ReviewAnswer>((resolve) => {
        const timer = setTimeout(() => {
          resolve(unavailable('timeout'))
        }, settings.timeoutMs)
        controller.signal.addEventListener('abort', () => {
          clearTimeout(timer)
        })
      })
      const answer = await Promise.race([
        ask(settings, http, question).catch((error: unknown) => {
          settings.log?.warn({ err: error }, 'the reviewer failed')
          return unavailable('unreachable')
        }),
        late,
      ])
      controller.abort()
      if (answer.outcome === 'unavailable')
        settings.log?.warn({ reason: answer.reason, model: settings.model }, 'the reviewer gave no answer')
      return answer
    },
    [Symbol.dispose]() {
      http[Symbol.dispose]()
    },
  }
}

async function ask(settings: ReviewerSettings, http: HttpClient, question: ReviewQuestion): Promise<ReviewAnswer> {
  const end = performance.now() + settings.timeoutMs
  const left = (): number => Math.floor(end - performance.now())
  const shown = await showParts(question.evidence, settings.preview)
  // As far as it is shown: what the model does not see cannot turn it.
  const suspected = shown.some((part) => 'text' in part && speaksToReviewer(part.text.slice(0, maxTextShown)))
  let failure: ReviewFailure = 'timeout'
  for (let attempt = 1; attempt <= 2 && left() > worthTryingMs * (attempt - 1); attempt++) {
    const outcome = await askOnce(settings, http, { question, shown, suspected, timeoutMs: Math.max(1, left()) })
    if ('answer' in outcome) return outcome.answer
    failure = outcome.failed
    if (!outcome.again) break
    if (attempt === 1) await pause(Math.min(settings.pauseMs ?? defaultPauseMs, Math.max(0, left())))
  }
  return unavailable(failure)
}

type Attempt = { readonly answer: ReviewAnswer } | Exclude<Exchanged, { content: string }>

/** New names, new fences: what a first answer gave away helps nobody in the second. */
async function askOnce(
  { model, key }: ReviewerSettings,
  http: HttpClient,
  {
    question,
    shown,
    suspected,
    timeoutMs,
  }: {
    readonly question: ReviewQuestion
    readonly shown: readonly ShownPart[]
    readonly suspected: boolean
    readonly timeoutMs: number
  },
): Promise<Attempt> {
  const random = (bytes: number): string => randomBytes(bytes).toString('hex')
  const sheet = createQuestionSheet(question.questions.slice(0, maxQuestions), random)
  const body = reviewPrompt({ model, question, shown, sheet, fence: random(16) })
  const outcome = await exchange(http, { body, key, timeoutMs })
  if ('failed' in outcome) return outcome
  const read = sheet.read(outcome.content)
  if (read === undefined) return { failed: 'malformed', again: true }
  const injection = suspected || read.injection
  // Material that speaks to its judge earns no yes.
  const answers = read.answers.map((one) =>
    injection && one.verdict === 'yes'
      ? {
          ...one,
          verdict: 'unclear' as const,
          reason: 'the material addresses its reviewer, so this answer is not relied on',
        }
      : one,
  )
  return { answer: { outcome: 'answered', answers, injection, model } }
}

async function showParts(
  evidence: readonly ReviewEvidence[],
  preview: ReviewerSettings['preview'],
): Promise<ShownPart[]> {
  const shown: ShownPart[] = []
  let images = 0
  for (const part of evidence) {
    if ('text' in part) shown.push({ type: part.type, text: part.text })
    else if (!part.file.content_type.startsWith('image/'))
      shown.push({ type: part.type, unseen: 'a file that is no image' })
    else if (images >= maxImages) shown.push({ type: part.type, unseen: 'a further image' })
    else {
      const jpeg = await preview(part.file)
      if (jpeg !== null) images++
      shown.push(
        jpeg === null ? { type: part.type, unseen: 'an image that could not be opened' } : { type: part.type, jpeg },
      )
    }
  }
  return shown
}

function unavailable(reason: ReviewFailure): ReviewAnswer {
  return { outcome: 'unavailable', reason }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
