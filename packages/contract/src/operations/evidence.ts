import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { closed, id, open, optional, text } from '../schema.ts'
import { evidenceContentTypes, evidenceTypes, limits } from '../vocabulary.ts'

const evidenceKey = text('Names one stored file.', 1, 200)
const seconds = Type.Integer({ description: 'For how many seconds the link is good.' })

export const evidence = {
  'evidence.presignUpload': operation({
    section: 'evidence',
    summary: 'A link to PUT one file of evidence to; the worker of the task only.',
    marks: true,
    access: { by: 'wallet', scope: null, unsigned: 403, session: true },
    input: closed({
      task_id: id('The task.'),
      evidence_type: optional(
        Type.Enum([...evidenceTypes], {
          description: 'The evidence that the file will be: the link takes the kinds of file that it may have.',
        }),
      ),
      filename: optional(text('Name of the file; without content_type its ending says the kind.', 1, 200)),
      content_type: optional(
        Type.Enum([...evidenceContentTypes], {
          description: 'The kind of file; left out, what filename ends in, or the first that evidence_type takes.',
        }),
      ),
      content_length: optional(
        Type.Integer({
          description: 'Bytes of the file: the link takes no more, and no more of the quota is used.',
          minimum: 1,
          maximum: limits.evidenceBytes,
        }),
      ),
    }),
    output: open({
      upload_url: Type.String(),
      method: Type.Enum(['PUT']),
      headers: Type.Record(Type.String(), Type.String()),
      public_url: Type.String({ description: 'Submit this as the evidence.' }),
      key: Type.String(),
      content_type: Type.String(),
      max_bytes: Type.Integer(),
      expires_in: seconds,
    }),
    success: 200,
    errors: [
      'TASK_NOT_FOUND',
      'TASK_GONE',
      'FORBIDDEN',
      'TASK_NOT_SUBMITTABLE',
      'DEADLINE_PASSED',
      'UPLOAD_QUOTA_EXCEEDED',
      'UPLOAD_BUDGET_SPENT',
    ],
    rest: [{ method: 'GET', path: '/api/v1/evidence/presign-upload' }],
  }),
  'evidence.presignDownload': operation({
    section: 'evidence',
    summary:
      'A fresh link to a stored file: as uploaded for its worker and for admins, without metadata for the publisher.',
    marks: true,
    access: { by: 'wallet', scope: null, unsigned: 403, admin: true, session: true },
    input: closed({ key: evidenceKey }),
    output: open({
      download_url: Type.String(),
      key: Type.String({ description: 'The file the link is for; the publisher is given the copy without metadata.' }),
      expires_in: seconds,
    }),
    success: 200,
    errors: ['NOT_FOUND', 'TASK_NOT_FOUND', 'FORBIDDEN', 'EVIDENCE_TAKEN_DOWN'],
    rest: [{ method: 'GET', path: '/api/v1/evidence/presign-download' }],
  }),
}
