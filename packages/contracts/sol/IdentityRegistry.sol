// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc721} from "./Erc721.sol";
import {Signatures} from "./Signatures.sol";

/// @notice Agents as tokens (ERC-8004): an id, a registration file, metadata and a proven payment wallet.
contract IdentityRegistry is Erc721 {
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    bytes32 private constant AGENT_WALLET_SET_TYPEHASH =
        keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant RESERVED_KEY_HASH = keccak256("agentWallet");
    uint256 private constant MAX_DEADLINE_DELAY = 5 minutes;

    uint256 private _nextId;
    mapping(uint256 agentId => string) private _uris;
    mapping(uint256 agentId => mapping(string key => bytes)) private _metadata;

    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event MetadataSet(
        uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue
    );
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);
    event MetadataUpdate(uint256 _tokenId);

    modifier onlyAuthorized(uint256 agentId) {
        require(_isOwnerOrApproved(msg.sender, agentId), "Not authorized");
        _;
    }

    constructor() Erc721("AgentIdentity", "AGENT") {}

    function register() external returns (uint256 agentId) {
        return _register("", new MetadataEntry[](0));
    }

    function register(string memory agentURI) external returns (uint256 agentId) {
        return _register(agentURI, new MetadataEntry[](0));
    }

    function register(string memory agentURI, MetadataEntry[] memory metadata) external returns (uint256 agentId) {
        return _register(agentURI, metadata);
    }

    function setAgentURI(uint256 agentId, string calldata newURI) external onlyAuthorized(agentId) {
        _uris[agentId] = newURI;
        emit MetadataUpdate(agentId);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    function setMetadata(uint256 agentId, string memory metadataKey, bytes memory metadataValue)
        external onlyAuthorized(agentId)
    {
        _requireFreeKey(metadataKey);
        _writeMetadata(agentId, metadataKey, metadataValue);
    }

    /// @notice Names the wallet that is paid for this agent. The wallet itself must have signed.
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature)
        external onlyAuthorized(agentId)
    {
        require(newWallet != address(0), "bad wallet");
        require(block.timestamp <= deadline, "expired");
        require(deadline <= block.timestamp + MAX_DEADLINE_DELAY, "deadline too far");
        bytes32 structHash =
            keccak256(abi.encode(AGENT_WALLET_SET_TYPEHASH, agentId, newWallet, ownerOf(agentId), deadline));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", _domainSeparator(), structHash));
        require(
            Signatures.isSignedByKey(newWallet, digest, signature)
                || Signatures.isSignedByContract(newWallet, digest, signature),
            "invalid wallet sig"
        );
        _writeMetadata(agentId, "agentWallet", abi.encodePacked(newWallet));
    }

    function unsetAgentWallet(uint256 agentId) external onlyAuthorized(agentId) {
        _writeMetadata(agentId, "agentWallet", "");
    }

    function tokenURI(uint256 agentId) external view returns (string memory) {
        ownerOf(agentId);
        return _uris[agentId];
    }

    function getMetadata(uint256 agentId, string memory metadataKey) external view returns (bytes memory) {
        return _metadata[agentId][metadataKey];
    }

    function getAgentWallet(uint256 agentId) external view returns (address) {
        return address(bytes20(_metadata[agentId]["agentWallet"]));
    }

    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool) {
        return _isOwnerOrApproved(spender, agentId);
    }

    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    function _register(string memory agentURI, MetadataEntry[] memory metadata) private returns (uint256 agentId) {
        agentId = _nextId++;
        _mint(msg.sender, agentId);
        if (bytes(agentURI).length > 0) {
            _uris[agentId] = agentURI;
            emit MetadataUpdate(agentId);
        }
        emit Registered(agentId, agentURI, msg.sender);
        _writeMetadata(agentId, "agentWallet", abi.encodePacked(msg.sender));
        for (uint256 i = 0; i < metadata.length; i++) {
            _requireFreeKey(metadata[i].metadataKey);
            _writeMetadata(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
        }
        _requireReceiver(address(0), msg.sender, agentId, "");
    }

    /// A new owner does not inherit the old one's wallet: it would be paid for the new owner's work.
    function _beforeHandover(uint256 agentId) internal override {
        if (_metadata[agentId]["agentWallet"].length > 0) _writeMetadata(agentId, "agentWallet", "");
    }

    function _writeMetadata(uint256 agentId, string memory key, bytes memory value) private {
        _metadata[agentId][key] = value;
        emit MetadataSet(agentId, key, key, value);
    }

    /// `agentWallet` is only ever set by proof.
    function _requireFreeKey(string memory key) private pure {
        require(keccak256(bytes(key)) != RESERVED_KEY_HASH, "reserved key");
    }

    function _domainSeparator() private view returns (bytes32) {
        return keccak256(abi.encode(
            DOMAIN_TYPEHASH, keccak256("ERC8004IdentityRegistry"), keccak256("1"), block.chainid, address(this)
        ));
    }
}
