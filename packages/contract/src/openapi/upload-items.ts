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
      description: 'The link is the proof: nothing is signed. It ends soon.',
      parameters: proof,
      responses: {
        '200': { description: 'The bytes.', headers: always, content: bytes },
        ...errorResponses([...common, 'FORBIDDEN', 'NOT_FOUND', 'EVIDENCE_TAKEN_DOWN']),
      },
      security: [{}],
    },
  },
}
