/** The host of a region's token service. AWS in China has its own domain. */
export function stsHost(region: string): string {
  return `sts.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`;
}
