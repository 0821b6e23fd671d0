import { createBareService } from './bare-service.ts'

const [url, port] = [process.env['DATABASE_URL'], Number(process.env['BARE_PORT'])]
if (url === undefined || !(port > 0)) throw new Error('set DATABASE_URL and BARE_PORT')
const service = await createBareService(url)
process.once('SIGTERM', () => {
  void service.close().then(() => process.exit())
})
process.once('disconnect', () => process.exit())
await service.listen({ host: '127.0.0.1', port })
