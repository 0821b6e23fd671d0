import type { BrowserContext } from 'playwright-core'

/** Two pictures as a camera would hand them over, drawn here: a gate with five arches, and a door with a notice. */
export async function pictureOfGate(
  context: BrowserContext,
): Promise<{ readonly gate: Uint8Array; readonly earlier: Uint8Array }> {
  const page = await context.newPage()
  try {
    await page.setViewportSize({ width: 1200, height: 800 })
    const take = async (drawing: string): Promise<Uint8Array> => {
      await page.setContent(
        `<style>body{margin:0}</style><svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">${ground}${drawing}</svg>`,
      )
      return page.screenshot({ type: 'jpeg', quality: 85 })
    }
    return { gate: await take(gate()), earlier: await take(door) }
  } finally {
    await page.close()
  }
}

const ground =
  '<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#6ea8d8"/><stop offset="1" stop-color="#dfeaf0"/></linearGradient></defs><rect width="1200" height="640" fill="url(#sky)"/><rect y="640" width="1200" height="160" fill="#8c8f88"/><rect y="632" width="1200" height="26" fill="#5f7a4a"/>'

function gate(): string {
  const arches = [180, 370, 545, 740, 930].map((x, index) => {
    const [width, top] = index === 2 ? [130, 300] : [110, 350]
    return (
      `<path d="M${String(x)} 640V${String(top)}a${String(width / 2)} ` +
      `${String(width / 2)} 0 0 1 ${String(width)} 0V640Z" fill="#7f94a3"/>`
    )
  })
  return `<rect x="130" y="250" width="960" height="390" fill="#d9cbb0"/><rect x="110" y="225" width="1000" height="34" fill="#c9b995"/><path d="M470 225l140-80 140 80Z" fill="#d3c3a3"/><rect x="130" y="600" width="960" height="40" fill="#bfae8c"/>${arches.join('')}<g stroke="#8a6a3a" stroke-width="6">${[190, 235, 280].map((x) => `<path d="M${String(x)} 340V640"/>`).join('')}${[400, 470, 540, 610].map((y) => `<path d="M180 ${String(y)}H290"/>`).join('')}</g>`
}

const door =
  '<rect x="300" y="160" width="600" height="480" fill="#b86f4b"/><rect x="470" y="280" width="260" height="360" fill="#5a3a2a"/><rect x="530" y="340" width="140" height="180" fill="#f7f4ea"/><g stroke="#555" stroke-width="5"><path d="M548 370h104M548 400h80M548 430h104M548 460h60"/></g>'
