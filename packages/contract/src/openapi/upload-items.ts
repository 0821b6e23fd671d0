import type { ErrorCode } from '../errors.ts'
import { always, errorResponses } from './answers.ts'

type Json = Record<string, unknown>

const proof = [
  {
    name: 'key',
    in: 'path',
    required: true,
    description: 'The place of the file, slashes included; the links of the service hold it.',
    schema: { type: 'string' },
    example: 'tasks/01890a5d-ac96-774b-bcce-b302099a8057/photo',
  },
  ...['expires', 'signature'].map((name) => ({
    name,
    in: 'query',
    required: true,
    description: 'As the link has it; whoever holds the link may use it.',
    schema: { type: 'string' },
    example: name === 'expires' ? '1795435200' : 'hQ7x',
  })),
]
const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
})
const tag = { ETag: text('The SHA-256 of the whole file.', `"${'5f'.repeat(32)}"`) }
const span = (example: string): Json => ({ 'Content-Range': text('Which bytes of how many.', example) })
const bytes = { '*/*': { schema: { type: 'string', format: 'binary' } } }
const common: readonly ErrorCode[] = [
  'API_KEY_REFUSED',
  'bearer_not_allowed',
  'MALFORMED_BODY',
  'request_body_too_large',
  'UPLOAD_NOT_ALLOWED',
  'INTERNAL',
]

/** Where files go to and come from: the links that presign-upload and presign-download hand out. */
export const uploadItems: Json = {
  '/api/v1/evidence/files/{key}': {
    put: {
      operationId: 'evidence.upload',
      tags: ['evidence'],
      summary: 'Store a file under a link of GET /api/v1/evidence/presign-upload.',
      description:
        'Send the bytes with the Content-Type that the link was asked for. The link is the proof: nothing is signed. Where evidence is kept in a bucket the link leads there instead.',
      parameters: proof,
      requestBody: { required: true, content: bytes },
      responses: {
        '201': {
          description: 'The file is stored.',
          headers: always,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['bytes', 'sha256'],
                properties: {
                  bytes: { type: 'integer', description: 'Size of the file.', examples: [1024] },
                  sha256: { type: 'string', description: 'Digest of the file, as hex.', examples: ['5f'.repeat(32)] },
                },
              },
            },
          },
        },
        ...errorResponses([
          ...common,
          'NOT_FOUND',
          'UNSUPPORTED_MEDIA_TYPE',
          'UPLOAD_QUOTA_EXCEEDED',
          'UPLOAD_TYPE_REFUSED',
        ]),
      },
      security: [{}],
    },
    get: {
      operationId: 'evidence.download',
      tags: ['evidence'],
      summary: 'Read a file under a link of GET /api/v1/evidence/presign-download.',
      description:
        'The link is the proof: nothing is signed. It ends soon. One part of the file may be asked for (RFC 9110 §14).',
      parameters: [
        ...proof,
        {
          name: 'Range',
          in: 'header',
          required: false,
          ...text('One part of the file, in bytes; anything else is answered with the whole.', 'bytes=0-1023'),
        },
      ],
      responses: {
        '200': { description: 'The bytes.', headers: { ...always, ...tag }, content: bytes },
        '206': {
          description: 'The part that was asked for.',
          headers: { ...always, ...tag, ...span('bytes 0-1023/4096') },
          content: bytes,
        },
        '416': {
          description: 'The file ends before the part that was asked for.',
          headers: { ...always, ...tag, ...span('bytes */4096') },
        },
        ...errorResponses([...common, 'FORBIDDEN', 'NOT_FOUND', 'EVIDENCE_TAKEN_DOWN']),
      },
      security: [{}],
    },
  },
}
