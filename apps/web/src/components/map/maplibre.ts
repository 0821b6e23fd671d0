import 'maplibre-gl/dist/maplibre-gl.css'
import { setWorkerUrl } from 'maplibre-gl'
// Its worker as a file of this origin, so that `worker-src 'self'` holds.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'

setWorkerUrl(new URL(workerUrl, location.href).href)

export { MapLibreMap, Marker, NavigationControl, ScaleControl } from 'maplibre-gl'
export type {
  CircleLayerSpecification,
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl'
