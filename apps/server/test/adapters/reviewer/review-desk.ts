import type { ReviewAnswer, ReviewQuestion, Reviewer, StoredFile } from '@ergon/core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createReviewer, type ReviewerSettings } from '../../../src/adapters/reviewer/create-reviewer.ts'
import {
  answerHonestly,
  honestAnswers,
  sendCompletion,
  startModelDouble,
  type Behaviour,
  type ModelDouble,
  type Verdict,
} from './model-double.ts'

export const photo: StoredFile = { key: 'k', content_type: 'image/jpeg', bytes: 4, sha256: '0'.repeat(64) }
export const question: ReviewQuestion = {
  taskTitle: 'Photograph the menu',
  instructions: 'The prices must be readable.',
  category: 'data_collection',
  evidence: [
    { type: 'photo', file: photo },
    { type: 'text_response', text: 'The shop is open from 9 to 18.' },
  ],
  questions: [
    { id: 'shows-menu', text: 'Does the image show a menu?' },
    { id: 'readable', text: 'Can the prices be read?' },
  ],
}
export const timeoutMs = 3_000

export const answering =
  (change: (answers: Verdict[]) => unknown): Behaviour =>
  ({ questions }, response) => {
    sendCompletion(response, JSON.stringify(change(honestAnswers(questions))))
  }

export type ReviewDesk = {
  /** The model that is asked; it is honest again before each test. */
  readonly model: ModelDouble
  readonly reviewerOf: (settings?: Partial<ReviewerSettings>) => Reviewer & Disposable
  readonly review: (
    behave: Behaviour,
    settings?: Partial<ReviewerSettings>,
    asked?: ReviewQuestion,
  ) => Promise<ReviewAnswer>
}

/** A reviewer over a model that the tests of a file make behave as they like. */
export function useReviewer(): ReviewDesk {
  let model: ModelDouble
  beforeAll(async () => {
    model = await startModelDouble()
  })
  afterAll(() => model[Symbol.asyncDispose]())
  beforeEach(() => {
    model.received.length = 0
    model.behave = answerHonestly
  })

  function reviewerOf(settings: Partial<ReviewerSettings> = {}): Reviewer & Disposable {
    return createReviewer({
      url: model.url,
      model: 'some-model',
      key: 'sk-secret',
      timeoutMs,
      pauseMs: 20,
      preview: () => Promise.resolve(Buffer.from('JPEG')),
      ...settings,
    })
  }

  async function review(
    behave: Behaviour,
    settings: Partial<ReviewerSettings> = {},
    asked: ReviewQuestion = question,
  ): Promise<ReviewAnswer> {
    model.behave = behave
    using reviewer = reviewerOf(settings)
    return await reviewer.review(asked)
  }

  return {
    get model() {
      return model
    },
    reviewerOf,
    review,
  }
}
