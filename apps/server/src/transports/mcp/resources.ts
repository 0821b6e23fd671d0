import { categories, evidenceTypes, skillFile, type About, type OperationName } from '@ergon/contract'
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult } from '@modelcontextprotocol/server'
import type { InnerCall, Sender } from './inner-call.ts'

type Listed = {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}
type Template = Omit<Listed, 'uri'> & { readonly uriTemplate: string }

const json = 'application/json'

export const resources: readonly Listed[] = [
  {
    uri: 'svc://categories',
    name: 'categories',
    title: 'Categories',
    description: 'Names of task categories and of kinds of evidence.',
    mimeType: json,
  },
  {
    uri: 'svc://networks',
    name: 'networks',
    title: 'Networks',
    description: 'Networks and tokens a bounty may be paid in, with what a signer needs.',
    mimeType: json,
  },
  {
    uri: 'svc://fees',
    name: 'fees',
    title: 'Fees',
    description: 'The fee and the bounds of a bounty.',
    mimeType: json,
  },
  {
    uri: 'svc://skills',
    name: 'skills',
    title: 'How to take part',
    description: 'A skill file for agents: both sides of a job, step by step.',
    mimeType: 'text/markdown',
  },
]

export const templates: readonly Template[] = [
  {
    uriTemplate: 'svc://tasks/{id}',
    name: 'task',
    title: 'Task',
    description: 'One task; `subscriptions/listen` tells when it changes, in revisions that have it.',
    mimeType: json,
  },
  {
    uriTemplate: 'svc://tasks/{id}/meter',
    name: 'meter',
    title: 'Meter of a task',
    description:
      'What a metered task has cost so far; `subscriptions/listen` tells when it changes, in revisions that have it. ' +
      'FEATURE_DISABLED where the service meters no tasks.',
    mimeType: json,
  },
]

const taskUri = /^svc:\/\/tasks\/([0-9a-f-]{36})(\/meter)?$/

/** The task a URI names; undefined for other URIs. */
export function taskOf(uri: string): string | undefined {
  return taskUri.exec(uri)?.[1]
}

export const isMeter = (uri: string): boolean => taskUri.exec(uri)?.[2] !== undefined

export const uriOfTask = (id: string): string => `svc://tasks/${id}`
export const uriOfMeter = (id: string): string => `svc://tasks/${id}/meter`

/** Reads a resource as its operation answers it, to whoever asks. @throws ProtocolError */
export function createResourceReader(
  calls: InnerCall,
  about: About,
): (uri: string, sender: Sender) => Promise<ReadResourceResult> {
  const skill = skillFile(about)
  return async (uri, sender) => {
    const one = (text: string, mimeType: string = json): ReadResourceResult => ({ contents: [{ uri, mimeType, text }] })
    const answered = async (
      name: OperationName,
      input: Readonly<Record<string, unknown>>,
    ): Promise<ReadResourceResult> => {
      const { code, body } = await calls.read(name, sender, input)
      if (code !== null) throw notReadable(uri, body)
      return one(JSON.stringify(body))
    }
    switch (uri) {
      case 'svc://categories':
        return one(JSON.stringify({ categories, evidence_types: evidenceTypes }))
      case 'svc://networks':
        return answered('payments.networks', {})
      case 'svc://fees':
        return answered('payments.fees', {})
      case 'svc://skills':
        return one(skill, 'text/markdown')
      default: {
        const [, id, meter] = taskUri.exec(uri) ?? []
        if (id === undefined) throw notReadable(uri, undefined)
        return answered(meter === undefined ? 'tasks.get' : 'meters.get', { task_id: id })
      }
    }
  }
}

/** Not there, or not for the caller; `data` says which, as REST would. */
function notReadable(uri: string, body: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'This resource cannot be read.', {
    uri,
    ...(typeof body === 'object' ? body : {}),
  })
}
