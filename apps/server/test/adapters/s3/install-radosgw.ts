import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const packages = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common']
const programs = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'ceph-authtool', 'monmaptool'].map(
  (name) => `/usr/bin/${name}`,
)

/**
 * Null once the object gateway of Debian is there, installed by apt where it is missing; else why it cannot be.
 * A continuous build has no excuse: there every reason throws.
 */
export async function radosgwMissing(): Promise<string | null> {
  if (await arePresent()) return null
  const reason = await install()
  if (reason !== null && process.env['CI'] !== undefined) throw new Error(`the object gateway is missing: ${reason}`)
  return reason
}

async function install(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'radosgw is not installed, and installing it takes root'
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 240_000,
    maxBuffer: 64 * 1_048_576,
  }
  try {
    await run('apt-get', ['update', '-qq'], options)
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
  } catch (error) {
    return `apt-get could not install it: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`
  }
  return (await arePresent()) ? null : 'the packages lack its programs'
}

async function arePresent(): Promise<boolean> {
  return (
    await Promise.all(
      programs.map((path) =>
        access(path).then(
          () => true,
          () => false,
        ),
      ),
    )
  ).every(Boolean)
}
