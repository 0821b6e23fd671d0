import type { Input, OperationsClient } from './client.ts'

export type UploadEvidenceInput = Input<'evidence.presignUpload'> & { readonly bytes: Uint8Array }
/** Where the file is now; `public_url` is what a submission names. */
export type UploadedEvidence = { readonly public_url: string; readonly key: string; readonly content_type: string }

/** Asks for a link and puts one file of evidence there. */
export async function uploadEvidence(client: OperationsClient, input: UploadEvidenceInput): Promise<UploadedEvidence> {
  const { bytes, ...fields } = input
  const link = await client.evidence.presignUpload({ ...fields, content_length: bytes.length })
  if (bytes.length > link.max_bytes)
    throw new RangeError(`the file has ${bytes.length} bytes and ${link.max_bytes} are allowed`)
  await client.transport.put(link.upload_url, { 'content-type': link.content_type, ...link.headers }, bytes)
  return { public_url: link.public_url, key: link.key, content_type: link.content_type }
}
