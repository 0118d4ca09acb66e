# Which clusters trust each other, and what they share. Ours is found in the environment; `partner` is a connection of main.tf.

# In two steps, where the token has to travel: the partner's cluster has issued it, ours redeems it.
resource "trustplane_cluster_peering" "partner" {
  peer_name     = "partner"
  peering_token = var.peering_token
}

# In one step, where one program reaches both: the token is used at once and kept nowhere.
resource "trustplane_cluster_peered_clusters" "disaster_recovery" {
  acceptor_peer_name = "partner-dr"
  dialer_connection  = "partner"
  dialer_peer_name   = "platform-dr"
}

# A peering carries no traffic by itself: the partner sees this service, and one of its own may call it.
resource "trustplane_cluster_exported_services" "exported" {
  services = [{ name = "billing", consumers = [{ peer = trustplane_cluster_peering.partner.peer_name }] }]
}

resource "trustplane_cluster_intention" "billing" {
  destination = "billing"
  sources     = [{ name = "checkout", peer = trustplane_cluster_peering.partner.peer_name, action = "allow" }]
}
