/** The root configuration of a cloud engine that reaches the scenario's own cloud. */
export const cloudRoot = {
  access_key: "{rootKey}",
  secret_key: "{rootSecret}",
  region: "us-east-1",
  iam_endpoint: "{cloud}",
  sts_endpoint: "{cloud}",
};
