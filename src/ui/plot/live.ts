/** What is loaded with the first plot: see `useLive`. */
export { LivePlot } from './live-plot.tsx'
export { PlayBar } from './play-bar.tsx'
